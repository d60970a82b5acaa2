# Every option of the build. What is a developer's concern is off when Sluice is part of another project.
option(SLUICE_BUILD_TOOLS "Build the sluice command" ${PROJECT_IS_TOP_LEVEL})
option(SLUICE_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(SLUICE_BUILD_BENCH "Build the benchmarks" ${PROJECT_IS_TOP_LEVEL})
option(SLUICE_BUILD_STUDY "Build the study kernels: every schedule that does not ship" ${PROJECT_IS_TOP_LEVEL})
option(SLUICE_INSTALL "Provide the install rules" ON)
option(SLUICE_WERROR "Treat compiler warnings as errors" OFF)
option(SLUICE_HALIDE_CHECKS "Keep Halide's own checks of bounds and arguments in the kernels" OFF)

set(SLUICE_TARGETS "" CACHE STRING "Instruction sets to compile kernels for; empty: all of the platform's (see SluicePlatform.cmake)")
set(SLUICE_KERNELS "*" CACHE STRING "Globs over kernel names: only these are compiled, e.g. *chunk_kda*avx2")
set(SLUICE_SANITIZE "" CACHE STRING "address or thread: instrument C++ code and kernels alike")
set_property(CACHE SLUICE_SANITIZE PROPERTY STRINGS "" address thread)
set(SLUICE_GENERATOR "" CACHE FILEPATH "A sluice.generator built before, for the machine that builds")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
