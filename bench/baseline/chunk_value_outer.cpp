// Chunked, value columns outside: the innermost loop strides over channels, a scalar sum per output element.
#include "bench/baseline/chunk.h"

namespace sluice::bench {
namespace {

struct ValueOuter {
  static float dot(const float *x, const float *y, std::int64_t n) {
    float sum = 0;
    for (std::int64_t c = 0; c < n; ++c) sum += x[c] * y[c];
    return sum;
  }

  static void multiply_add(const Matrix &out, const Matrix &left, const Matrix &right, std::int64_t inner,
                           float factor) {
    for (std::int64_t v = 0; v < out.columns; ++v) {
      for (std::int64_t i = 0; i < out.rows; ++i) {
        float sum = 0;
        for (std::int64_t c = 0; c < inner; ++c) sum += left.at(i, c) * right.at(c, v);
        out.at(i, v) += factor * sum;
      }
    }
  }
};

}  // namespace

void chunk_value_outer(const sluice_gated_delta_rule_args &args) { run_chunked<ValueOuter>(args); }

}  // namespace sluice::bench
