# Cross builds: sluice_generator, built for this machine by a build inside the build.
include(ExternalProject)
set(host_build ${PROJECT_BINARY_DIR}/host)
set(host_generator ${host_build}/generators/sluice.generator)
# Halide and the build tool, where this build was told them.
set(told)
foreach(variable IN ITEMS CMAKE_MAKE_PROGRAM Halide_DIR HalideHelpers_DIR)
  if(${variable})
    list(APPEND told -D${variable}=${${variable}})
  endif()
endforeach()
ExternalProject_Add(sluice_host_generator
  SOURCE_DIR ${PROJECT_SOURCE_DIR}
  BINARY_DIR ${host_build}
  CMAKE_ARGS
    -DCMAKE_BUILD_TYPE=Release
    -DSLUICE_PYTHON=${SLUICE_PYTHON} ${told}
    -DSLUICE_BUILD_TOOLS=OFF -DSLUICE_BUILD_TESTS=OFF -DSLUICE_BUILD_BENCH=OFF -DSLUICE_BUILD_STUDY=OFF -DSLUICE_INSTALL=OFF
  BUILD_COMMAND ${CMAKE_COMMAND} --build . --target sluice_generator
  BUILD_ALWAYS ON
  BUILD_BYPRODUCTS ${host_generator}
  INSTALL_COMMAND "")
add_executable(sluice_generator IMPORTED GLOBAL)
set_target_properties(sluice_generator PROPERTIES IMPORTED_LOCATION ${host_generator})
add_dependencies(sluice_generator sluice_host_generator)
