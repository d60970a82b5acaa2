// The table of refusals: a change to a valid call, and what the library must say to it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/run.h"

namespace sluice::test {

struct Refusal {
  std::string name;
  sluice_rule rule;
  std::function<void(sluice_gated_delta_rule_args &, Problem &)> change;
  std::string argument;             // what the message begins with
  std::vector<const char *> words;  // what it has in it: the expected and the given
  sluice_status status = SLUICE_INVALID_ARGUMENT;
};

// B = 2, T = 5, Hq = 2, Hk = 2, Hs = 4, K = 8, V = 12
Case valid_case(sluice_rule rule);

std::vector<Refusal> refusals();

}  // namespace sluice::test
