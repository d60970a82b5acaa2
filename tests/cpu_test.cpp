// The CPU probe, fed with what other machines would say.
#include "runtime/cpu.h"

#include <gtest/gtest.h>

#include <functional>

namespace sluice::test {
namespace {

constexpr std::uint32_t bit(int n) { return std::uint32_t{1} << n; }

// A server with AVX-512 under a system that saves all its registers.
CpuidWords avx512_machine() {
  CpuidWords words;
  words.max_leaf = 0x1F;
  words.leaf1_ecx = 0xFFFFFFFFU;
  words.leaf7_ebx = 0xFFFFFFFFU;
  words.extended1_ecx = 0xFFFFFFFFU;
  words.xcr0 = 0xE7;
  return words;
}

struct Lacking {
  const char *name;
  std::function<void(CpuidWords &)> remove;
  bool base, avx2, avx512;  // what is left
};

class CpuProbe : public ::testing::TestWithParam<Lacking> {};

TEST_P(CpuProbe, AllowsOnlyWhatTheRestSupports) {
  CpuidWords words = avx512_machine();
  GetParam().remove(words);
  const IsaSupport support = decode_cpuid(words);
  EXPECT_EQ(support.base, GetParam().base);
  EXPECT_EQ(support.avx2, GetParam().avx2);
  EXPECT_EQ(support.avx512, GetParam().avx512);
  EXPECT_FALSE(support.neon);
  EXPECT_EQ(support.has(Isa::base), GetParam().base);
  EXPECT_EQ(support.has(Isa::avx2), GetParam().avx2);
  EXPECT_EQ(support.has(Isa::avx512), GetParam().avx512);
  EXPECT_FALSE(support.has(Isa::neon));
}

INSTANTIATE_TEST_SUITE_P(
    Machines, CpuProbe,
    ::testing::Values(Lacking{"nothing", [](CpuidWords &) {}, true, true, true},
                      Lacking{"sse41", [](CpuidWords &w) { w.leaf1_ecx &= ~bit(19); }, false, false, false},
                      Lacking{"everything", [](CpuidWords &w) { w = CpuidWords{}; }, false, false, false},
                      Lacking{"fma", [](CpuidWords &w) { w.leaf1_ecx &= ~bit(12); }, true, false, false},
                      Lacking{"avx", [](CpuidWords &w) { w.leaf1_ecx &= ~bit(28); }, true, false, false},
                      Lacking{"f16c", [](CpuidWords &w) { w.leaf1_ecx &= ~bit(29); }, true, false, false},
                      Lacking{"avx2", [](CpuidWords &w) { w.leaf7_ebx &= ~bit(5); }, true, false, false},
                      Lacking{"leaf7", [](CpuidWords &w) { w.max_leaf = 6; }, true, false, false},
                      Lacking{"osxsave", [](CpuidWords &w) { w.leaf1_ecx &= ~bit(27), w.xcr0 = 0; }, true, false,
                              false},
                      Lacking{"a_system_that_saves_ymm", [](CpuidWords &w) { w.xcr0 = 0x3; }, true, false, false},
                      Lacking{"a_system_that_saves_zmm", [](CpuidWords &w) { w.xcr0 = 0x7; }, true, true, false},
                      Lacking{"a_system_that_saves_opmask", [](CpuidWords &w) { w.xcr0 = 0xC7; }, true, true, false},
                      Lacking{"avx512f", [](CpuidWords &w) { w.leaf7_ebx &= ~bit(16); }, true, true, false},
                      Lacking{"avx512dq", [](CpuidWords &w) { w.leaf7_ebx &= ~bit(17); }, true, true, false},
                      Lacking{"avx512cd", [](CpuidWords &w) { w.leaf7_ebx &= ~bit(28); }, true, true, false},
                      Lacking{"avx512bw", [](CpuidWords &w) { w.leaf7_ebx &= ~bit(30); }, true, true, false},
                      Lacking{"avx512vl", [](CpuidWords &w) { w.leaf7_ebx &= ~bit(31); }, true, true, false}),
    [](const auto &info) { return std::string("Without_") + info.param.name; });

constexpr std::uint64_t fp = bit(0), asimd = bit(1);

TEST(CpuProbe, AllowsNeonWhereLinuxSaysThatTheCpuHasIt) {
  EXPECT_TRUE(decode_hwcap(fp | asimd).neon);
  EXPECT_TRUE(decode_hwcap(~std::uint64_t{0}).neon);
  EXPECT_FALSE(decode_hwcap(fp).neon);
  EXPECT_FALSE(decode_hwcap(~asimd).neon);
  EXPECT_FALSE(decode_hwcap(~std::uint64_t{0}).base);
}

#if defined(__aarch64__)
TEST(CpuProbe, FindsNeonHere) { EXPECT_TRUE(host_isa_support().neon); }
#endif

#if defined(__x86_64__) && defined(__GNUC__)
// The compiler's own probe is a second opinion about this machine.
TEST(CpuProbe, AgreesWithTheCompilersProbeHere) {
  const IsaSupport &host = host_isa_support();
  EXPECT_EQ(host.base, __builtin_cpu_supports("sse4.1") != 0);
  EXPECT_EQ(host.avx2, __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0);
  EXPECT_EQ(host.avx512, __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0);
}
#endif

TEST(IsaNames, AreReadAsTheyAreWritten) {
  for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512, Isa::neon}) {
    Isa parsed = isa == Isa::base ? Isa::neon : Isa::base;
    EXPECT_TRUE(parse_isa(isa_name(isa), &parsed));
    EXPECT_EQ(parsed, isa);
  }
  Isa parsed = Isa::base;
  EXPECT_FALSE(parse_isa("sse9", &parsed));
}

}  // namespace
}  // namespace sluice::test
