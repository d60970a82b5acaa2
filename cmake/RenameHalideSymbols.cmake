# Script: from the symbols that Halide's runtime defines (NM, OBJECT; PREFIX: what C names begin with on the platform),
# writes objcopy rename lists for the runtime (RUNTIME_RENAMES) and for kernels (KERNEL_RENAMES).
#
# Every symbol becomes sluice_<symbol>. Some calls of kernels go to Sluice's runtime instead, as sluice_hook_<name>;
# of these, error and print also when Halide's own runtime calls them.
execute_process(COMMAND ${NM} --format=posix --extern-only --defined-only ${OBJECT}
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" lines "${symbols}")
set(runtime)
set(kernel)
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^${PREFIX}([^ ]+) .*" "\\1" symbol "${line}")
  set(in_runtime sluice_${symbol})
  set(in_kernel sluice_${symbol})
  # In COFF, Halide's own definition would not give way to Sluice's.
  if(NOT OBJECT MATCHES "\\.obj$" AND symbol MATCHES "^halide_(error|print)$")
    set(in_runtime sluice_hook_${CMAKE_MATCH_1})
  endif()
  if(symbol MATCHES "^halide_(malloc|free|do_par_for|error|print)$")
    set(in_kernel sluice_hook_${CMAKE_MATCH_1})
  endif()
  string(APPEND runtime "${PREFIX}${symbol} ${PREFIX}${in_runtime}\n")
  string(APPEND kernel "${PREFIX}${symbol} ${PREFIX}${in_kernel}\n")
endforeach()
if(NOT kernel MATCHES "sluice_hook_malloc")
  message(FATAL_ERROR "${OBJECT} does not define halide_malloc: not a Halide runtime?")
endif()
file(WRITE ${RUNTIME_RENAMES} "${runtime}")
file(WRITE ${KERNEL_RENAMES} "${kernel}")
