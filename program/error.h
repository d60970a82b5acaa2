// The project's measure of error: how far fp32 results are from fp64 ones.
#pragma once

#include <array>
#include <cstdint>

#include "sluice/sluice.h"

namespace sluice {

/// What fp32 kernels are held to.
constexpr double default_tolerance = 5e-6;

/// Max over (batch, head) of max|actual - expected| / max|expected| within that head; the absolute difference in a head
/// whose expected values are all 0. Infinite if anything compared is NaN, so that `error <= tolerance` is the test.
/// `actual` is a rank-4 view [B, H, rows, columns] of floats: an output or a state. `expected` has the same shape and
/// `expected_stride` (in elements). Without elements the error is 0.
double head_error(const sluice_tensor &actual, const double *expected,
                  const std::array<std::int64_t, 4> &expected_stride);

/// The same for `expected` contiguous in the order [B, H, rows, columns].
double head_error(const sluice_tensor &actual, const double *expected);

}  // namespace sluice
