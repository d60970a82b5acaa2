# Finds Halide: where CMake is told (Halide_DIR, CMAKE_PREFIX_PATH), else the wheel of the Python that tools/setup
# makes, else the wheel of the Python on PATH. Only HalideHelpers, which is headers, is needed with SLUICE_GENERATOR
# or when cross-compiling.
set(SLUICE_HALIDE_VERSION 21.0.0)  # EXACT: later releases rename the CMake packages
set(SLUICE_PYTHON "${PROJECT_SOURCE_DIR}/build/venv/bin/python" CACHE FILEPATH "A Python that has the halide package")

if(SLUICE_GENERATOR)
  if(NOT EXISTS ${SLUICE_GENERATOR})
    message(FATAL_ERROR "SLUICE_GENERATOR: no such file: ${SLUICE_GENERATOR}")
  endif()
  set(package HalideHelpers)
  add_executable(sluice_generator IMPORTED)
  set_target_properties(sluice_generator PROPERTIES IMPORTED_LOCATION ${SLUICE_GENERATOR})
elseif(CMAKE_CROSSCOMPILING)
  set(package HalideHelpers)
  include(SluiceHostGenerator)
else()
  set(package Halide)
endif()

find_package(${package} ${SLUICE_HALIDE_VERSION} EXACT CONFIG QUIET)
if(NOT ${package}_FOUND)
  foreach(python IN ITEMS ${SLUICE_PYTHON} python3)
    execute_process(COMMAND ${python} -c "import halide; print(halide.install_dir())"
      OUTPUT_VARIABLE halide_prefix OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed)
      set(Halide_DIR "${halide_prefix}/lib64/cmake/Halide" CACHE PATH "Halide's CMake package" FORCE)
      set(HalideHelpers_DIR "${halide_prefix}/lib64/cmake/HalideHelpers" CACHE PATH "Halide's CMake package" FORCE)
      break()
    endif()
  endforeach()
  find_package(${package} ${SLUICE_HALIDE_VERSION} EXACT CONFIG QUIET)
endif()
if(NOT ${package}_FOUND)
  message(FATAL_ERROR "Halide ${SLUICE_HALIDE_VERSION} was not found. Run tools/setup, or pip install halide==${SLUICE_HALIDE_VERSION} "
    "and set SLUICE_PYTHON to that Python, or set Halide_DIR and HalideHelpers_DIR to an installation's CMake packages.")
endif()
