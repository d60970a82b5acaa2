// Checks of one tensor descriptor on its own: type, rank, sizes, strides, memory.
#pragma once

#include <cstdint>

#include "runtime/message.h"
#include "runtime/problem.h"
#include "sluice/sluice.h"

namespace sluice {

// A tensor argument and what is said about it.
struct Argument {
  const char *name;
  const char *axes;  // "[B, Hq, T, K]"
  const sluice_tensor *tensor;
  int rank;
  bool written;
};

// "[2,3,16,128]", in fixed memory. Rank outside 0..4 shows as "[?]".
struct ShapeText {
  explicit ShapeText(const sluice_tensor &tensor) : ShapeText(tensor, tensor.shape) {}
  ShapeText(const sluice_tensor &tensor, const std::int64_t *numbers);
  char text[4 * 21 + 3];
};

// Present, dtype, rank, extents >= 0.
sluice_status check_form(const Argument &argument, Message &message);

// Alignment, strides, and that sizes and addresses fit 64 bits; for outputs also that each element is reached once.
sluice_status check_memory(const Argument &argument, Message &message);

// The view of a checked tensor.
View make_view(const sluice_tensor &tensor);

}  // namespace sluice
