# A kernel package: this folder brings compiled kernels along, and is built without Halide. Same functions as
# SluiceKernels.cmake.
function(sluice_add_kernels target set)
  file(GLOB objects ${SLUICE_PREBUILT_KERNELS}/*${SLUICE_OBJECT_SUFFIX})
  list(LENGTH objects count)
  message(STATUS "Sluice: ${count} prebuilt objects for ${SLUICE_PLATFORM}")
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT TRUE)
  target_sources(${target} PRIVATE ${objects})
  target_include_directories(${target} PRIVATE ${SLUICE_PREBUILT_KERNELS}/include)
endfunction()

# It is one of the objects.
function(sluice_add_halide_runtime target)
endfunction()

add_library(Halide::Runtime INTERFACE IMPORTED)
target_include_directories(Halide::Runtime INTERFACE ${SLUICE_PREBUILT_KERNELS}/include)
