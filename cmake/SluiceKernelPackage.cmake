# SLUICE_KERNELS_FOR: kernels and Halide's runtime for a platform that this compiler does not build for. What is installed
# is a folder that the platform's own compiler makes libsluice from: these objects, the C++ sources and the CMake files.
sluice_kernel_set(kernels ship)
sluice_halide_runtime_object(halide_runtime)
add_custom_target(sluice_kernels ALL DEPENDS ${kernels} ${halide_runtime})

get_target_property(halide_include Halide::Runtime INTERFACE_INCLUDE_DIRECTORIES)
set(folder kernels/${SLUICE_PLATFORM})
install(FILES ${kernels} ${halide_runtime} DESTINATION ${folder})
install(FILES ${PROJECT_BINARY_DIR}/generated/sluice/kernels_ship.inc DESTINATION ${folder}/include/sluice)
install(FILES ${halide_include}/HalideRuntime.h DESTINATION ${folder}/include)
install(FILES CMakeLists.txt LICENSE README.md DESTINATION .)
install(DIRECTORY cmake include runtime docs DESTINATION .)
