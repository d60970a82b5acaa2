// The oracle: the gated delta rule as a plain fp64 loop over tokens. Shares no code with the generators.
#pragma once

#include <vector>

#include "sluice/sluice.h"

namespace sluice::test {

struct Expected {
  std::vector<double> output;       // [B, Ho, T, V], contiguous
  std::vector<double> final_state;  // [B, Hs, K, V], contiguous
};

// Reads the inputs of `args` through their strides; does not touch its outputs (output may be absent).
Expected token_loop(const sluice_gated_delta_rule_args &args);

}  // namespace sluice::test
