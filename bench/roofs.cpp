#include "bench/roofs.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "bench/clock.h"
#include "runtime/cpu.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace sluice::bench {
namespace {

constexpr int peak_iterations = 20000;
constexpr int peak_runs = 6;

// Independent chains of operations: as many as latency x throughput of any CPU asks for, as few as registers hold. The
// operand is one the compiler does not know, the result one that it must not drop.
volatile float opaque_one = 1.0F, result;

// Equal chains would be one.
float different(int chain) { return opaque_one + static_cast<float>(chain); }

#if defined(__x86_64__)
double base_chains() {
  constexpr int chains = 6;
  __m128 product[chains], sum[chains];
  const __m128 one = _mm_set1_ps(opaque_one);
  for (int i = 0; i < chains; ++i) product[i] = sum[i] = _mm_set1_ps(different(i));
  for (int n = 0; n < peak_iterations; ++n) {
#pragma GCC unroll 6
    for (int i = 0; i < chains; ++i) {
      product[i] = _mm_mul_ps(product[i], one);
      sum[i] = _mm_add_ps(sum[i], one);
    }
  }
  for (int i = 1; i < chains; ++i) sum[0] = _mm_add_ps(sum[0], sum[i]);
  for (int i = 0; i < chains; ++i) sum[0] = _mm_add_ps(sum[0], product[i]);
  result = _mm_cvtss_f32(sum[0]);
  return 2.0 * chains * 4 * peak_iterations;
}

__attribute__((target("avx2,fma"))) double avx2_chains() {
  constexpr int chains = 12;
  __m256 sum[chains];
  const __m256 one = _mm256_set1_ps(opaque_one);
  for (int i = 0; i < chains; ++i) sum[i] = _mm256_set1_ps(different(i));
  for (int n = 0; n < peak_iterations; ++n) {
#pragma GCC unroll 12
    for (int i = 0; i < chains; ++i) {
      sum[i] = _mm256_fmadd_ps(sum[i], one, one);
    }
  }
  for (int i = 1; i < chains; ++i) sum[0] = _mm256_add_ps(sum[0], sum[i]);
  result = _mm256_cvtss_f32(sum[0]);
  return 2.0 * chains * 8 * peak_iterations;
}

__attribute__((target("avx512f"))) double avx512_chains() {
  constexpr int chains = 16;
  __m512 sum[chains];
  const __m512 one = _mm512_set1_ps(opaque_one);
  for (int i = 0; i < chains; ++i) sum[i] = _mm512_set1_ps(different(i));
  for (int n = 0; n < peak_iterations; ++n) {
#pragma GCC unroll 16
    for (int i = 0; i < chains; ++i) {
      sum[i] = _mm512_fmadd_ps(sum[i], one, one);
    }
  }
  for (int i = 1; i < chains; ++i) sum[0] = _mm512_add_ps(sum[0], sum[i]);
  result = _mm512_cvtss_f32(sum[0]);
  return 2.0 * chains * 16 * peak_iterations;
}

void scale_base(const float *from, float *to, std::size_t n, float factor) {
  const __m128 f = _mm_set1_ps(factor);
  for (std::size_t i = 0; i < n; i += 4) _mm_store_ps(to + i, _mm_mul_ps(_mm_load_ps(from + i), f));
}

__attribute__((target("avx2"))) void scale_avx2(const float *from, float *to, std::size_t n, float factor) {
  const __m256 f = _mm256_set1_ps(factor);
  for (std::size_t i = 0; i < n; i += 8) _mm256_store_ps(to + i, _mm256_mul_ps(_mm256_load_ps(from + i), f));
}

__attribute__((target("avx512f"))) void scale_avx512(const float *from, float *to, std::size_t n, float factor) {
  const __m512 f = _mm512_set1_ps(factor);
  for (std::size_t i = 0; i < n; i += 16) _mm512_store_ps(to + i, _mm512_mul_ps(_mm512_load_ps(from + i), f));
}
#elif defined(__aarch64__)
double neon_chains() {
  constexpr int chains = 24;
  float32x4_t sum[chains];
  const float32x4_t one = vdupq_n_f32(opaque_one);
  for (int i = 0; i < chains; ++i) sum[i] = vdupq_n_f32(different(i));
  for (int n = 0; n < peak_iterations; ++n) {
#pragma GCC unroll 24
    for (int i = 0; i < chains; ++i) {
      sum[i] = vfmaq_f32(sum[i], one, one);
    }
  }
  for (int i = 1; i < chains; ++i) sum[0] = vaddq_f32(sum[0], sum[i]);
  result = vgetq_lane_f32(sum[0], 0);
  return 2.0 * chains * 4 * peak_iterations;
}

void scale_neon(const float *from, float *to, std::size_t n, float factor) {
  for (std::size_t i = 0; i < n; i += 4) vst1q_f32(to + i, vmulq_n_f32(vld1q_f32(from + i), factor));
}
#endif

double run_chains(Isa isa) {
  switch (isa) {
#if defined(__x86_64__)
    case Isa::base:
      return base_chains();
    case Isa::avx2:
      return avx2_chains();
    case Isa::avx512:
      return avx512_chains();
#elif defined(__aarch64__)
    case Isa::neon:
      return neon_chains();
#endif
    default:
      return 0;
  }
}

void scale(const float *from, float *to, std::size_t n, float factor) {
  switch (highest_isa()) {
#if defined(__x86_64__)
    case Isa::base:
      return scale_base(from, to, n, factor);
    case Isa::avx2:
      return scale_avx2(from, to, n, factor);
    case Isa::avx512:
      return scale_avx512(from, to, n, factor);
#elif defined(__aarch64__)
    case Isa::neon:
      return scale_neon(from, to, n, factor);
#endif
    default:
      return;
  }
}

constexpr std::size_t slice_multiple = 16;  // floats: one cache line, the widest vector

}  // namespace

Isa highest_isa() {
  static const Isa highest = [] {
    for (const Isa isa : {Isa::neon, Isa::avx512, Isa::avx2}) {
      if (host_isa_support().has(isa)) return isa;
    }
    return Isa::base;
  }();
  return highest;
}

double arithmetic_peak(Isa isa) {
  double peak = 0;
  for (int i = 0; i < peak_runs; ++i) {
    const Stopwatch watch(1);
    const double operations = run_chains(isa);
    peak = std::max(peak, operations / watch.seconds());
  }
  return peak;
}

Stream::Stream(std::size_t floats, bool in_place, int workers)
    : from_((floats + slice_multiple - 1) / slice_multiple * slice_multiple, 1.0F),
      to_(in_place ? 0 : from_.size(), 1.0F),
      in_place_(in_place),
      workers_(workers) {}

double Stream::seconds(int sweeps) {
  const float factor = opaque_one;
  float *const to = in_place_ ? from_.data() : to_.data();
  const auto slice = [&](std::size_t begin, std::size_t end) {
    for (int i = 0; i < sweeps; ++i) scale(from_.data() + begin, to + begin, end - begin, factor);
  };
  if (workers_ == 1) {
    const Stopwatch watch(1);
    slice(0, from_.size());
    return watch.seconds() / sweeps;
  }
  const auto workers = static_cast<std::size_t>(workers_);
  const std::size_t lines = from_.size() / slice_multiple;
  std::atomic<int> waiting{workers_};
  std::vector<double> seconds(workers);
  std::vector<std::thread> threads;
  for (std::size_t w = 0; w < workers; ++w) {
    threads.emplace_back([&, w] {
      --waiting;
      while (waiting.load() > 0) std::this_thread::yield();
      const Stopwatch watch(workers_);
      slice(lines * w / workers * slice_multiple, lines * (w + 1) / workers * slice_multiple);
      seconds[w] = watch.seconds();
    });
  }
  for (std::thread &thread : threads) thread.join();
  return *std::max_element(seconds.begin(), seconds.end()) / sweeps;
}

}  // namespace sluice::bench
