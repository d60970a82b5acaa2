#include "bench/baseline/baseline.h"

namespace sluice::bench {

const std::vector<Baseline> &baselines() {
  static const std::vector<Baseline> all = {
      {"four_pass", four_pass},
      {"two_pass", two_pass},
      {"chunk_value_outer", chunk_value_outer},
      {"chunk_head_dim", chunk_head_dim},
  };
  return all;
}

}  // namespace sluice::bench
