// The calling thread's floating-point mode and cumulative exception flags: MXCSR on x86, FPCR and FPSR on arm64.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace sluice::test {

#if defined(__x86_64__)
constexpr std::uint64_t flush_to_zero = 0x8040, round_up = 0x4000;
inline std::uint64_t float_mode() { return _mm_getcsr(); }
inline void set_float_mode(std::uint64_t mode) { _mm_setcsr(static_cast<unsigned>(mode)); }
// The sticky exception flags are a record of what was computed, not a mode.
constexpr std::uint64_t mode_bits = 0xFFC0, flag_bits = 0x3F, inexact_flag = 0x20;
inline std::uint64_t float_flags() { return _mm_getcsr() & flag_bits; }
inline void set_float_flags(std::uint64_t flags) {
  _mm_setcsr(static_cast<unsigned>((_mm_getcsr() & mode_bits) | flags));
}
#elif defined(__aarch64__)
constexpr std::uint64_t flush_to_zero = 1U << 24, round_up = 1U << 22;
inline std::uint64_t float_mode() {
  std::uint64_t mode = 0;
  asm volatile("mrs %0, fpcr" : "=r"(mode));
  return mode;
}
inline void set_float_mode(std::uint64_t mode) { asm volatile("msr fpcr, %0" : : "r"(mode)); }
constexpr std::uint64_t mode_bits = ~std::uint64_t{0}, flag_bits = 0x9F, inexact_flag = 0x10;
inline std::uint64_t float_flags() {
  std::uint64_t status = 0;
  asm volatile("mrs %0, fpsr" : "=r"(status));
  return status & flag_bits;
}
inline void set_float_flags(std::uint64_t flags) { asm volatile("msr fpsr, %0" : : "r"(flags)); }
#endif

// Puts the thread's mode back.
class KeepFloatMode {
 public:
  KeepFloatMode() : mode_(float_mode()) {}
  ~KeepFloatMode() { set_float_mode(mode_); }
  KeepFloatMode(const KeepFloatMode &) = delete;
  KeepFloatMode &operator=(const KeepFloatMode &) = delete;

 private:
  std::uint64_t mode_;
};

}  // namespace sluice::test
