#include "bench/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <numeric>
#include <random>
#include <tuple>

namespace sluice::bench {
namespace {

std::vector<double> up_to(int n) {
  std::vector<double> samples(static_cast<std::size_t>(n));
  std::iota(samples.begin(), samples.end(), 1.0);
  return samples;
}

// Ranks from the binomial table: P(X <= 3 | n = 15) = 0.0176, P(X <= 4) = 0.0592; and so on.
TEST(MedianInterval, TakesTheRanksOfTheBinomialTable) {
  for (const auto &[n, low, high] :
       {std::tuple{15, 4, 12}, {20, 6, 15}, {30, 10, 21}, {6, 1, 6}, {5, 1, 5}, {1, 1, 1}}) {
    const Interval interval = median_interval(up_to(n));
    EXPECT_EQ(interval.low, low) << n;
    EXPECT_EQ(interval.high, high) << n;
    EXPECT_EQ(interval.median, (n + 1) / 2.0) << n;
  }
}

TEST(MedianInterval, HoldsTheMedianOfSkewedNoiseAsOftenAsItSays) {
  std::mt19937_64 engine(1);
  std::exponential_distribution<double> noise;
  const double median = std::log(2.0);
  int held = 0;
  constexpr int trials = 4000;
  for (int i = 0; i < trials; ++i) {
    std::vector<double> samples(15);
    for (double &sample : samples) sample = noise(engine);
    const Interval interval = median_interval(samples);
    held += interval.low <= median && median <= interval.high ? 1 : 0;
  }
  EXPECT_GE(held, trials * 95 / 100);
  EXPECT_LE(held, trials * 98 / 100);
}

}  // namespace
}  // namespace sluice::bench
