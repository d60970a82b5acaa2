// Which instruction sets this CPU and operating system run. The only place with CPU facts at run time.
#pragma once

#include <cstdint>

#include "runtime/kernel.h"

namespace sluice {

struct IsaSupport {
  bool base = false, avx2 = false, avx512 = false, neon = false;

  bool has(Isa isa) const;
};

// What x86-64 says about itself: the words of CPUID that matter and the register states that the system saves (XCR0).
struct CpuidWords {
  std::uint32_t max_leaf = 0;
  std::uint32_t leaf1_ecx = 0;
  std::uint32_t leaf7_ebx = 0;
  std::uint32_t extended1_ecx = 0;  // leaf 0x80000001
  std::uint64_t xcr0 = 0;           // 0 where OSXSAVE is off
};

// Pure: the probe's whole decision, on x86-64 and on arm64 Linux (AT_HWCAP).
IsaSupport decode_cpuid(const CpuidWords &words);
IsaSupport decode_hwcap(std::uint64_t hwcap);

// This machine's support, probed once.
const IsaSupport &host_isa_support();

// Whether the instruction set is one of the architecture that this is compiled for, whatever the CPU has of it.
bool is_native(Isa isa);

const char *isa_name(Isa isa);
// False if `name` is no ISA's.
bool parse_isa(const char *name, Isa *isa);

}  // namespace sluice
