// A checked call in normal form: what every later stage works on.
#pragma once

#include <cstdint>

#include "runtime/kernel.h"

namespace sluice {

// Axes as in the public interface: batch, head, token (state: channel), innermost. Axes of extent <= 1, and all
// axes of an empty tensor, have stride 0, except that the innermost of a rank-4 tensor always has stride 1. data is
// nullptr where the tensor is absent.
struct View {
  float *data = nullptr;
  std::int64_t stride[4] = {};
};

// State head h uses head (h / divisor) % modulus.
struct HeadMap {
  std::int64_t divisor = 1, modulus = 1;

  std::int64_t operator()(std::int64_t head) const { return head / divisor % modulus; }
};

struct Problem {
  Rule rule = Rule::gdn;
  std::int64_t batches = 0, query_heads = 0, key_heads = 0, state_heads = 0, tokens = 0, key_dim = 0, value_dim = 0;
  std::int64_t query_group = 1;  // g: query heads that read one state
  HeadMap key_head, query_head;  // query_head counts groups of g heads
  bool gate_is_log = false, l2norm = false;
  float l2norm_eps = 0, scale = 1;

  View query, key, value, gate, beta, erase, write, initial_state, output, final_state;
  // Query and output heads as two axes: groups of g heads, and the head within a group.
  std::int64_t query_group_stride = 0, query_head_stride = 0, output_group_stride = 0, output_head_stride = 0;
  bool in_place = false;  // final_state is initial_state

  // Saturates: where no tensor has elements, nothing bounds the sizes.
  std::int64_t heads() const {
    std::int64_t product = 0;
    return __builtin_mul_overflow(batches, state_heads, &product) ? INT64_MAX : product;
  }
};

}  // namespace sluice
