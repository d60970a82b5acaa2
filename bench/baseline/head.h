// One state head of a call, as pointers and strides: what every baseline loops over.
#pragma once

#include <cstdint>
#include <vector>

#include "sluice/sluice.h"

namespace sluice::bench {

struct Rows {
  float *data = nullptr;
  std::int64_t stride = 0;

  float *row(std::int64_t t) const { return data + t * stride; }
};

// One token's operands: decay a, erase key e, write value z.
struct Token {
  std::vector<float> decay, erase_key, write_value;
};

struct Head {
  std::int64_t T, K, V;
  bool decay_per_channel, gate_is_log;
  float scale;
  Rows query, key, value, gate, beta, erase, write;  // what a rule does not have is null
  Rows state;                                        // holds the initial state when a baseline begins
  Rows output;

  void load(std::int64_t t, Token &token) const;
};

// Calls `run` for every state head, its state copied to where it is updated.
void for_each_head(const sluice_gated_delta_rule_args &args, void (*run)(const Head &head));

}  // namespace sluice::bench
