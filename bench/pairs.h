// Two contenders, timed in turn on the same machine at the same time.
#pragma once

#include <string>
#include <vector>

#include "bench/contender.h"
#include "bench/statistics.h"

namespace sluice::bench {

struct PairOptions {
  int pairs = 15;
  double sample_seconds = 0.02;  // at least this long each time
  int cpu = -1;                  // what has one worker is pinned here; -1: the last usable one
};

struct Side {
  std::string setting;
  std::string kernel;
  double ns_per_token_head, gflops;  // medians
  Interval roof_share;               // of the roof that was measured within the pair
};

struct PairResult {
  int pairs;
  Side a, b;
  Interval ratio;  // the rate of A over the rate of B, a rate being 6 K V operations a token and head over time
};

PairResult compare(const Setting &a, const Setting &b, const PairOptions &options);

}  // namespace sluice::bench
