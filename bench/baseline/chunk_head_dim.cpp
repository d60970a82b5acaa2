// Chunked, reordered: every innermost loop is contiguous over the head dim, so that the compiler vectorises it.
#include "bench/baseline/chunk.h"

namespace sluice::bench {
namespace {

struct HeadDim {
  static float dot(const float *x, const float *y, std::int64_t n) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t c = 0; c < n; ++c) sum += x[c] * y[c];
    return sum;
  }

  static void multiply_add(const Matrix &out, const Matrix &left, const Matrix &right, std::int64_t inner,
                           float factor) {
    for (std::int64_t i = 0; i < out.rows; ++i) {
      float *const to = &out.at(i, 0);
      for (std::int64_t c = 0; c < inner; ++c) {
        const float x = factor * left.at(i, c);
        const float *const from = &right.at(c, 0);
        for (std::int64_t v = 0; v < out.columns; ++v) to[v] += x * from[v];
      }
    }
  }
};

}  // namespace

void chunk_head_dim(const sluice_gated_delta_rule_args &args) { run_chunked<HeadDim>(args); }

}  // namespace sluice::bench
