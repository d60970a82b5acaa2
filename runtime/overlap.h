// Whether strided views share memory: exact, by solving for a common address, unless that takes too long.
#pragma once

#include <cstdint>

#include "sluice/sluice.h"

namespace sluice {

// The bytes from the lowest to one past the highest element. Empty views have lowest == end.
struct ByteRange {
  std::uintptr_t lowest = 0, end = 0;
};

// All functions: data is a multiple of 4 and the range has been checked not to overflow.
ByteRange byte_range(const sluice_tensor &tensor);

// False only if no element of one is an element of the other.
bool may_overlap(const sluice_tensor &a, const sluice_tensor &b);

// True only if no two index tuples reach the same element. Strides must not be negative.
bool reaches_each_element_once(const sluice_tensor &tensor);

}  // namespace sluice
