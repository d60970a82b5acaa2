# What every C and C++ target of the project is compiled with.
include(CheckCXXCompilerFlag)

set(SLUICE_WARNINGS -Wall -Wextra -Wconversion)
set(SLUICE_HARDENING -fstack-protector-strong)
if(MSVC)  # clang-cl, where -Wall is every warning there is, and the stack's protection is on without being asked
  set(SLUICE_WARNINGS /W4 -Wconversion)
  set(SLUICE_HARDENING)
endif()
check_cxx_compiler_flag(-fcf-protection=full SLUICE_HAVE_CF_PROTECTION)
if(SLUICE_HAVE_CF_PROTECTION)
  list(APPEND SLUICE_HARDENING -fcf-protection=full)
endif()

function(sluice_compile_defaults target)
  target_compile_features(${target} PRIVATE cxx_std_17 c_std_11)
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF C_EXTENSIONS OFF
    POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden C_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    COMPILE_WARNING_AS_ERROR ${SLUICE_WERROR})
  target_compile_options(${target} PRIVATE ${SLUICE_WARNINGS} ${SLUICE_HARDENING})
  # Internal headers are named from the root of the repository: "runtime/kernel.h".
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
  if(SLUICE_BUILD_FUZZERS AND NOT target STREQUAL "sluice_generator")
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  if(SLUICE_SANITIZE AND NOT target STREQUAL "sluice_generator")  # that one runs while building
    if(SLUICE_SANITIZE STREQUAL "address")
      set(flags -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    elseif(SLUICE_SANITIZE STREQUAL "thread")
      set(flags -fsanitize=thread)
    else()
      message(FATAL_ERROR "SLUICE_SANITIZE: expected address or thread, got ${SLUICE_SANITIZE}")
    endif()
    target_compile_options(${target} PRIVATE ${flags})
    # PUBLIC: what links a sanitized static library must link the sanitizer's runtime.
    target_link_options(${target} PUBLIC "$<BUILD_INTERFACE:${flags}>")
  endif()
endfunction()
