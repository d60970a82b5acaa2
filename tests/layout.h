// Memory layouts of a tensor: what a Layout means in strides.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/problem.h"

namespace sluice::test {

enum class Role { tokens, state, output, output_state };

// `shape` in logical order. `broadcast_axis` gets stride 0 in Layout::broadcast. All memory starts as `padding`.
Tensor make_tensor(const std::vector<std::int64_t> &shape, Layout layout, Role role, int broadcast_axis,
                   Placement placement, float padding);

// visit(float &) in logical order; nothing for an absent view
template <typename Visit>
void for_each_element(const sluice_tensor &view, Visit visit) {
  if (view.data == nullptr) return;
  std::int64_t shape[4] = {1, 1, 1, 1}, stride[4] = {0, 0, 0, 0};
  for (int axis = 0; axis < view.rank; ++axis) {
    shape[axis] = view.shape[axis];
    stride[axis] = view.stride[axis];
  }
  float *const data = static_cast<float *>(view.data);
  for (std::int64_t i = 0; i < shape[0]; ++i) {
    for (std::int64_t j = 0; j < shape[1]; ++j) {
      for (std::int64_t k = 0; k < shape[2]; ++k) {
        float *const row = data + i * stride[0] + j * stride[1] + k * stride[2];
        for (std::int64_t l = 0; l < shape[3]; ++l) visit(row[l * stride[3]]);
      }
    }
  }
}

}  // namespace sluice::test
