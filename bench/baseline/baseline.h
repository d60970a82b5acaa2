// What speed is compared with: the published CPU stack's optimisation steps as plain C++ loops, compiled for the host.
#pragma once

#include <vector>

#include "sluice/sluice.h"

namespace sluice::bench {

struct Baseline {
  const char *name;
  // Computes the operator on the calling thread. Throws std::invalid_argument for what published loops do not take:
  // l2norm, and more query heads than state heads.
  void (*run)(const sluice_gated_delta_rule_args &args);
};

// In the order of the optimisation history: recurrences, then chunked.
const std::vector<Baseline> &baselines();

void four_pass(const sluice_gated_delta_rule_args &args);
void two_pass(const sluice_gated_delta_rule_args &args);
void chunk_value_outer(const sluice_gated_delta_rule_args &args);
void chunk_head_dim(const sluice_gated_delta_rule_args &args);

}  // namespace sluice::bench
