#include "runtime/cpu.h"

#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

namespace sluice {

namespace {

constexpr const char *kIsaNames[] = {"base", "avx2", "avx512", "neon"};

constexpr std::uint32_t bit(int n) { return std::uint32_t{1} << n; }

constexpr bool all_set(std::uint64_t word, std::uint64_t mask) { return (word & mask) == mask; }

#if defined(__x86_64__)
CpuidWords read_cpuid() {
  CpuidWords words;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(0, &words.max_leaf, &b, &c, &d)) return words;
  if (__get_cpuid(1, &a, &b, &c, &d)) words.leaf1_ecx = c;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) words.leaf7_ebx = b;
  if (__get_cpuid(0x80000001u, &a, &b, &c, &d)) words.extended1_ecx = c;
  if ((words.leaf1_ecx & bit(27)) != 0) {  // OSXSAVE: XGETBV exists
    std::uint32_t low = 0, high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    words.xcr0 = (std::uint64_t{high} << 32) | low;
  }
  return words;
}
#endif

}  // namespace

bool IsaSupport::has(Isa isa) const {
  switch (isa) {
    case Isa::base:
      return base;
    case Isa::avx2:
      return avx2;
    case Isa::avx512:
      return avx512;
    case Isa::neon:
      return neon;
  }
  return false;
}

IsaSupport decode_cpuid(const CpuidWords &words) {
  IsaSupport support;
  if (words.max_leaf < 1) return support;
  support.base = (words.leaf1_ecx & bit(19)) != 0;  // sse4.1
  // The system must save the vector registers: XMM and YMM, then opmask and both halves of ZMM as well.
  const bool os_avx = (words.leaf1_ecx & bit(27)) != 0 && all_set(words.xcr0, 0x6);
  const bool os_avx512 = os_avx && all_set(words.xcr0, 0xE6);
  if (words.max_leaf < 7) return support;

  const std::uint32_t avx_fma_f16c = bit(28) | bit(12) | bit(29);
  // LLVM's models of an AVX2 and an AVX-512 processor have these too and use them: popcnt, movbe; bmi1, bmi2; lzcnt.
  const std::uint32_t scalar1 = bit(23) | bit(22), scalar7 = bit(3) | bit(8), scalar_extended = bit(5);
  support.avx2 = support.base && os_avx && all_set(words.leaf1_ecx, avx_fma_f16c | scalar1) &&
                 all_set(words.leaf7_ebx, bit(5) | scalar7) && all_set(words.extended1_ecx, scalar_extended);
  const std::uint32_t f_dq_cd_bw_vl = bit(16) | bit(17) | bit(28) | bit(30) | bit(31);
  support.avx512 = support.avx2 && os_avx512 && all_set(words.leaf7_ebx, f_dq_cd_bw_vl);
  return support;
}

IsaSupport decode_hwcap(std::uint64_t hwcap) {
  constexpr std::uint64_t hwcap_asimd = bit(1);  // Linux's number, for a test on any machine
  IsaSupport support;
  support.neon = all_set(hwcap, hwcap_asimd);
  return support;
}

const IsaSupport &host_isa_support() {
#if defined(__x86_64__)
  static const IsaSupport support = decode_cpuid(read_cpuid());
#elif defined(__aarch64__) && defined(__linux__)
  static_assert(HWCAP_ASIMD == bit(1));
  static const IsaSupport support = decode_hwcap(getauxval(AT_HWCAP));
#elif defined(__aarch64__)
  // Fixed: every Apple CPU has NEON, and Windows on arm64 demands it.
  static const IsaSupport support = [] {
    IsaSupport arm;
    arm.neon = true;
    return arm;
  }();
#endif
  return support;
}

bool is_native(Isa isa) {
#if defined(__aarch64__)
  return isa == Isa::neon;
#else
  return isa != Isa::neon;
#endif
}

const char *isa_name(Isa isa) { return kIsaNames[static_cast<int>(isa)]; }

bool parse_isa(const char *name, Isa *isa) {
  for (int n = 0; n < 4; n++) {
    if (std::strcmp(name, kIsaNames[n]) != 0) continue;
    *isa = static_cast<Isa>(n);
    return true;
  }
  return false;
}

}  // namespace sluice
