// What repeated measurements say.
#pragma once

#include <vector>

namespace sluice::bench {

struct Interval {
  double low, median, high;
};

// The median with a 95 % interval that needs no assumption about the distribution: order statistics. At least one
// sample; with fewer than six the interval is the whole range, and holds less than 95 %.
Interval median_interval(std::vector<double> samples);

}  // namespace sluice::bench
