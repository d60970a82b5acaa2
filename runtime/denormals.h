// The floating-point mode that kernels run in. Products of decays underflow, and denormals cost 10 to 25 times a normal
// number, so they are flushed; the rest is the default mode, so that results do not depend on the caller's.
#pragma once

#include <cstdint>

#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
#endif

namespace sluice {

// Sets the mode for this thread and restores the former one when it goes out of scope, with the cumulative exception
// flags: on x86-64 they are in the same register, on arm64 in one of their own.
class KernelFloatMode {
 public:
  KernelFloatMode() : saved_(read()) { write(kMode); }
  ~KernelFloatMode() { write(saved_); }
  KernelFloatMode(const KernelFloatMode &) = delete;
  KernelFloatMode &operator=(const KernelFloatMode &) = delete;

 private:
#if defined(__x86_64__) || defined(__i386__)
  using Registers = unsigned;
  // All exceptions masked, round to nearest, flush to zero (bit 15), denormals are zero (bit 6).
  static constexpr Registers kMode = 0x1F80u | 0x8040u;
  static Registers read() { return _mm_getcsr(); }
  static void write(Registers value) { _mm_setcsr(value); }
#elif defined(__aarch64__)
  struct Registers {
    std::uint64_t fpcr, fpsr;
  };
  // No traps, round to nearest, flush to zero (bit 24); no flags.
  static constexpr Registers kMode = {std::uint64_t{1} << 24, 0};
  static Registers read() {
    Registers values;
    __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(values.fpcr), "=r"(values.fpsr) : : "memory");
    return values;
  }
  static void write(Registers values) {
    __asm__ volatile("msr fpcr, %0\n\tmsr fpsr, %1" : : "r"(values.fpcr), "r"(values.fpsr) : "memory");
  }
#else
#error "Sluice runs on x86-64 and arm64"
#endif
  Registers saved_;
};

}  // namespace sluice
