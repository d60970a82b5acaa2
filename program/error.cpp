#include "program/error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice {

double head_error(const sluice_tensor &actual, const double *expected,
                  const std::array<std::int64_t, 4> &expected_stride) {
  const float *values = static_cast<const float *>(actual.data);
  double worst = 0;
  for (std::int64_t b = 0; b < actual.shape[0]; ++b) {
    for (std::int64_t h = 0; h < actual.shape[1]; ++h) {
      const float *actual_head = values + b * actual.stride[0] + h * actual.stride[1];
      const double *expected_head = expected + b * expected_stride[0] + h * expected_stride[1];
      double difference = 0, magnitude = 0;
      for (std::int64_t row = 0; row < actual.shape[2]; ++row) {
        for (std::int64_t column = 0; column < actual.shape[3]; ++column) {
          const double want = expected_head[row * expected_stride[2] + column * expected_stride[3]];
          const double got = actual_head[row * actual.stride[2] + column * actual.stride[3]];
          // Also catches infinities on both sides, whose difference is NaN.
          if (std::isnan(got - want)) return std::numeric_limits<double>::infinity();
          difference = std::max(difference, std::abs(got - want));
          magnitude = std::max(magnitude, std::abs(want));
        }
      }
      // An infinite expected value would make every difference look small.
      if (std::isinf(magnitude)) return std::numeric_limits<double>::infinity();
      worst = std::max(worst, magnitude > 0 ? difference / magnitude : difference);
    }
  }
  return worst;
}

double head_error(const sluice_tensor &actual, const double *expected) {
  const std::int64_t rows = actual.shape[2], columns = actual.shape[3];
  return head_error(actual, expected, {actual.shape[1] * rows * columns, rows * columns, columns, 1});
}

}  // namespace sluice
