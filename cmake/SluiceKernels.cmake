# From the table in schedules/variants.cmake to compiled kernels: which rows there are, and how each is built.

set_property(GLOBAL PROPERTY SLUICE_SCHEDULE_LINE 100)  # three digits: rows are sorted as text

# sluice_schedule(<step|chunk> <schedule> SET <ship|study> PARALLEL <runtime|kernel> HEAD_DIMS <D|any>...
#                 [CHUNK_LENGTH <C> [<isa>=<C>]...] [MIN_CHUNK_ROWS <r0> [<isa>=<r0>]...] [RULES ...] [ISAS ...]
#                 [AS <name> TUNING <knob>:<number>...])
# adds one row per rule, head dim and instruction set to the property SLUICE_ROWS. AS names the schedule with other
# tuning than its own.
function(sluice_schedule op schedule)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "SET;PARALLEL;AS" "HEAD_DIMS;CHUNK_LENGTH;MIN_CHUNK_ROWS;RULES;ISAS;TUNING")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SET MATCHES "^(ship|study)$" OR NOT arg_PARALLEL MATCHES "^(runtime|kernel)$" OR
     NOT arg_HEAD_DIMS OR NOT op MATCHES "^(step|chunk)$" OR (op STREQUAL "chunk" AND NOT (arg_CHUNK_LENGTH AND arg_MIN_CHUNK_ROWS))
     OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "sluice_schedule(${op} ${schedule} ...): malformed, see SluiceKernels.cmake")
  endif()
  set(rules gdn kda gdn2)
  sluice_expect_known("${op} ${schedule}" RULES "${arg_RULES}" "${rules}")
  sluice_expect_known("${op} ${schedule}" ISAS "${arg_ISAS}" "base;avx2;avx512;neon")
  if(arg_TUNING AND NOT arg_AS)
    message(FATAL_ERROR "sluice_schedule(${op} ${schedule} ...): TUNING needs AS and a name of its own")
  endif()
  if(arg_AS AND NOT arg_AS MATCHES "^[a-z][a-z0-9_]*$")
    message(FATAL_ERROR "sluice_schedule(${op} ${schedule} ...): AS: ${arg_AS}; expected a-z, 0-9 and _, a letter first")
  endif()
  if(NOT arg_RULES)
    set(arg_RULES ${rules})
  endif()
  if(NOT arg_ISAS)
    set(arg_ISAS ${SLUICE_ISAS})
  endif()
  if(NOT arg_AS)
    set(arg_AS ${schedule})
  endif()
  list(JOIN arg_TUNING "," tuning)
  get_property(line GLOBAL PROPERTY SLUICE_SCHEDULE_LINE)
  math(EXPR line "${line} + 1")
  set_property(GLOBAL PROPERTY SLUICE_SCHEDULE_LINE ${line})

  set(isa_rank 0)
  foreach(isa IN LISTS SLUICE_ISAS)
    math(EXPR isa_rank "${isa_rank} + 1")
    if(NOT isa IN_LIST arg_ISAS)
      continue()
    endif()
    sluice_value_for_isa(chunk_length ${isa} 1 ${arg_CHUNK_LENGTH})
    sluice_value_for_isa(min_chunk_rows ${isa} 1 ${arg_MIN_CHUNK_ROWS})
    foreach(head_dim IN LISTS arg_HEAD_DIMS)
      set(extent ${head_dim})
      set(dim_rank 0)
      if(head_dim STREQUAL "any")
        set(extent 0)
        set(dim_rank 1)
      endif()
      foreach(rule IN LISTS arg_RULES)
        set(name sluice_${op}_${rule}_f32_d${head_dim}_${arg_AS}_${isa})
        list(FIND rules ${rule} rule_rank)
        get_property(rows GLOBAL PROPERTY SLUICE_ROWS)
        if(rows MATCHES "[|]${name}[|]")
          message(FATAL_ERROR "sluice_schedule(${op} ${schedule} ...): ${name} is in the table already; AS gives it another name")
        endif()
        # Sorts highest instruction set first, constant head dims before any, then the table's order.
        set_property(GLOBAL APPEND PROPERTY SLUICE_ROWS
          "${isa_rank}.${dim_rank}.${line}.${op}.${head_dim}.${rule_rank}|${name}|${op}|${rule}|f32|${extent}|${arg_AS}|${isa}|${arg_SET}|${arg_PARALLEL}|${chunk_length}|${min_chunk_rows}|${schedule}|${tuning}")
      endforeach()
    endforeach()
  endforeach()
endfunction()

function(sluice_expect_known line key items known)
  foreach(item IN LISTS items)
    if(NOT item IN_LIST known)
      message(FATAL_ERROR "sluice_schedule(${line} ...): ${key}: ${item} is unknown; expected some of ${known}")
    endif()
  endforeach()
endfunction()

# Of `16 avx512=32`, the value for an instruction set.
function(sluice_value_for_isa out isa default)
  set(value ${default})
  foreach(item IN LISTS ARGN)
    if(item MATCHES "^(${isa}=)?([0-9]+)$")
      set(value ${CMAKE_MATCH_2})
    endif()
  endforeach()
  set(${out} ${value} PARENT_SCOPE)
endfunction()

# Whether SLUICE_KERNELS asks for this kernel.
function(sluice_kernel_wanted out name)
  set(${out} FALSE PARENT_SCOPE)
  foreach(glob IN LISTS SLUICE_KERNELS)
    string(REPLACE "." "\\." pattern "${glob}")
    string(REPLACE "*" ".*" pattern "${pattern}")
    string(REPLACE "?" "." pattern "${pattern}")
    if(name MATCHES "^${pattern}$")
      set(${out} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# The objects of a set's kernels; writes their rows to generated/sluice/kernels_<set>.inc.
function(sluice_kernel_set out set)
  set(rows_text "// ${set} kernels in priority order. Generated from schedules/variants.cmake.\n")
  set(objects)
  get_property(rows GLOBAL PROPERTY SLUICE_ROWS)
  list(SORT rows)
  foreach(row IN LISTS rows)
    string(REPLACE "|" ";" row "${row}")
    list(POP_FRONT row key name op rule dtype head_dim label isa row_set parallel chunk_length min_chunk_rows schedule tuning)
    sluice_kernel_wanted(wanted ${name})
    if(wanted AND row_set STREQUAL set)
      string(APPEND rows_text "SLUICE_KERNEL(${name}, ${op}, ${rule}, ${dtype}, ${head_dim}, ${label}, ${isa}, ${row_set}, "
        "${parallel}, ${chunk_length}, ${min_chunk_rows})\n")
      set(parameters rule=${rule} head_dim=${head_dim} schedule=${schedule})
      if(tuning)
        list(APPEND parameters tuning=${tuning})
      endif()
      if(op STREQUAL "chunk")
        list(APPEND parameters chunk_length=${chunk_length})
      endif()
      sluice_kernel_object(object ${name} ${op} ${isa} ${parameters})
      list(APPEND objects ${object})
    endif()
  endforeach()
  list(LENGTH objects count)
  message(STATUS "Sluice: ${count} ${set} kernels for ${SLUICE_PLATFORM}")
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/sluice/kernels_${set}.inc CONTENT "${rows_text}" @ONLY)
  set(${out} ${objects} PARENT_SCOPE)
endfunction()

# Adds the kernels of a set to a library.
function(sluice_add_kernels target set)
  sluice_kernel_set(objects ${set})
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/generated)
  target_sources(${target} PRIVATE ${objects})
endfunction()

set(SLUICE_KERNEL_DIR ${PROJECT_BINARY_DIR}/kernels)
set(SLUICE_KERNEL_RENAMES ${SLUICE_KERNEL_DIR}/kernel.symbols)
set(SLUICE_RUNTIME_RENAMES ${SLUICE_KERNEL_DIR}/halide_runtime.symbols)

# Halide's LLVM calls ThreadSanitizer's own memset and memcpy, which older sanitizer runtimes do not have; they intercept
# the plain ones, which checks as much.
set(SLUICE_SANITIZER_RENAMES)
if(SLUICE_SANITIZE STREQUAL "thread")
  foreach(function memset memcpy memmove)
    list(APPEND SLUICE_SANITIZER_RENAMES --redefine-sym=__tsan_${function}=${function})
  endforeach()
endif()

# The command that makes one kernel's object, with its .stmt and .s beside it.
function(sluice_kernel_object out name op isa)
  set(halide_target ${SLUICE_HALIDE_PLATFORM}${SLUICE_HALIDE_FEATURES_${isa}}-no_runtime-user_context)
  if(NOT SLUICE_HALIDE_CHECKS)
    string(APPEND halide_target -no_asserts-no_bounds_query)
  endif()
  if(SLUICE_SANITIZE STREQUAL "address")
    string(APPEND halide_target -asan)
  elseif(SLUICE_SANITIZE STREQUAL "thread")
    string(APPEND halide_target -tsan)
  endif()
  set(object ${SLUICE_KERNEL_DIR}/${name}${SLUICE_OBJECT_SUFFIX})
  add_custom_command(
    OUTPUT ${object}
    BYPRODUCTS ${SLUICE_KERNEL_DIR}/${name}.s ${SLUICE_KERNEL_DIR}/${name}.stmt
    COMMAND sluice_generator -g ${op} -f ${name} -e object,assembly,stmt -o ${SLUICE_KERNEL_DIR} target=${halide_target} ${ARGN}
    COMMAND ${SLUICE_OBJCOPY} --redefine-syms=${SLUICE_KERNEL_RENAMES} ${SLUICE_SANITIZER_RENAMES} ${object}
    DEPENDS sluice_generator $<TARGET_FILE:sluice_generator> ${SLUICE_KERNEL_RENAMES}
    COMMENT "Kernel ${name}"
    VERBATIM)
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  set(${out} ${object} PARENT_SCOPE)
endfunction()

# Halide's runtime under names of its own, so that a program's other Halide code never meets it.
function(sluice_halide_runtime_object out)
  set(halide_target ${SLUICE_HALIDE_PLATFORM}-user_context)
  if(SLUICE_SANITIZE STREQUAL "thread")
    string(APPEND halide_target -tsan)
  endif()
  set(plain ${SLUICE_KERNEL_DIR}/halide_runtime_plain${SLUICE_OBJECT_SUFFIX})
  set(object ${SLUICE_KERNEL_DIR}/halide_runtime${SLUICE_OBJECT_SUFFIX})
  set(script ${PROJECT_SOURCE_DIR}/cmake/RenameHalideSymbols.cmake)
  file(MAKE_DIRECTORY ${SLUICE_KERNEL_DIR})
  add_custom_command(
    OUTPUT ${object} ${SLUICE_RUNTIME_RENAMES} ${SLUICE_KERNEL_RENAMES}
    COMMAND sluice_generator -r halide_runtime_plain -e object -o ${SLUICE_KERNEL_DIR} target=${halide_target}
    COMMAND ${CMAKE_COMMAND} -DNM=${SLUICE_NM} -DOBJECT=${plain} -DPREFIX=${SLUICE_SYMBOL_PREFIX}
            -DRUNTIME_RENAMES=${SLUICE_RUNTIME_RENAMES}
            -DKERNEL_RENAMES=${SLUICE_KERNEL_RENAMES} -P ${script}
    COMMAND ${SLUICE_OBJCOPY} --redefine-syms=${SLUICE_RUNTIME_RENAMES} ${SLUICE_SANITIZER_RENAMES} ${plain} ${object}
    BYPRODUCTS ${plain}
    DEPENDS sluice_generator $<TARGET_FILE:sluice_generator> ${script}
    COMMENT "Halide runtime under private names"
    VERBATIM)
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  set(${out} ${object} PARENT_SCOPE)
endfunction()

function(sluice_add_halide_runtime target)
  sluice_halide_runtime_object(object)
  target_sources(${target} PRIVATE ${object})
endfunction()
