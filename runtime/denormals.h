// The floating-point mode that kernels run in. Products of decays underflow, and denormals cost 10 to 25 times a normal
// number, so they are flushed; the rest is the default mode, so that results do not depend on the caller's.
#pragma once

#include <cstdint>

#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
#endif

namespace sluice {

// Sets the mode for this thread and restores the former one when it goes out of scope. On x86-64 the register holds the
// status flags as well; on arm64 they are in FPSR, where a call may raise some.
class KernelFloatMode {
 public:
  KernelFloatMode() : saved_(read()) { write(kMode); }
  ~KernelFloatMode() { write(saved_); }
  KernelFloatMode(const KernelFloatMode &) = delete;
  KernelFloatMode &operator=(const KernelFloatMode &) = delete;

 private:
#if defined(__x86_64__) || defined(__i386__)
  using Register = unsigned;
  // All exceptions masked, round to nearest, flush to zero (bit 15), denormals are zero (bit 6).
  static constexpr Register kMode = 0x1F80u | 0x8040u;
  static Register read() { return _mm_getcsr(); }
  static void write(Register value) { _mm_setcsr(value); }
#elif defined(__aarch64__)
  using Register = std::uint64_t;
  // No traps, round to nearest, flush to zero (bit 24).
  static constexpr Register kMode = Register{1} << 24;
  static Register read() {
    Register value;
    __asm__ volatile("mrs %0, fpcr" : "=r"(value));
    return value;
  }
  static void write(Register value) { __asm__ volatile("msr fpcr, %0" : : "r"(value) : "memory"); }
#else
#error "Sluice runs on x86-64 and arm64"
#endif
  Register saved_;
};

}  // namespace sluice
