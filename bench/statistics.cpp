#include "bench/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace sluice::bench {

Interval median_interval(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const std::size_t n = samples.size();
  // The largest k with P(fewer than k of n samples lie below the median) <= 2.5 %.
  double probability = std::pow(0.5, static_cast<double>(n)), tail = probability;
  std::size_t k = 0;
  while (2 * (k + 1) <= n && tail <= 0.025) {
    ++k;
    probability *= static_cast<double>(n - k + 1) / static_cast<double>(k);
    tail += probability;
  }
  const std::size_t low = k > 0 ? k - 1 : 0;
  const double median = 0.5 * (samples[(n - 1) / 2] + samples[n / 2]);
  return {samples[low], median, samples[n - 1 - low]};
}

}  // namespace sluice::bench
