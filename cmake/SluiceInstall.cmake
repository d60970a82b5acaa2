# cmake --install: the header, the library, the command, a CMake package and a pkg-config file. Nothing needs Halide.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sluice)

target_include_directories(sluice PUBLIC $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS sluice EXPORT sluice_targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${PROJECT_SOURCE_DIR}/include/sluice/sluice.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sluice)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/docs/embedding.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET sluice_cli)
  install(TARGETS sluice_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# What a C compiler does not link by itself: C++'s runtime, and the libraries that are no part of the platform's C library.
set(SLUICE_CXX_LIBRARY stdc++)
set(private_libraries "-lstdc++ -pthread -ldl -lm")
if(APPLE)
  set(SLUICE_CXX_LIBRARY c++)
  set(private_libraries -lc++)
elseif(ANDROID)
  set(SLUICE_CXX_LIBRARY c++_static c++abi)
  set(private_libraries "-lc++_static -lc++abi -ldl -lm")
elseif(MSVC)
  set(SLUICE_CXX_LIBRARY)
  set(private_libraries)
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/sluice-config.cmake.in ${PROJECT_BINARY_DIR}/sluice-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sluice-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sluice-config.cmake ${PROJECT_BINARY_DIR}/sluice-config-version.cmake DESTINATION ${package_dir})
install(EXPORT sluice_targets FILE sluice-targets.cmake NAMESPACE sluice:: DESTINATION ${package_dir})
# The same package from the build tree: sluice_DIR = the build folder.
export(EXPORT sluice_targets FILE ${PROJECT_BINARY_DIR}/sluice-targets.cmake NAMESPACE sluice::)

file(RELATIVE_PATH include_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(${PROJECT_SOURCE_DIR}/cmake/sluice.pc.in ${PROJECT_BINARY_DIR}/sluice.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sluice.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
