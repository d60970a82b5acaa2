// Random but repeatable: choices, and problems made of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

#include "tests/problem.h"

namespace sluice::test {

class Pick {
 public:
  explicit Pick(std::uint64_t seed) : engine_(seed) {}
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool one_in(std::int64_t n) { return between(1, n) == 1; }
  template <typename T, std::size_t N>
  T of(const T (&choices)[N]) {
    return choices[between(0, static_cast<std::int64_t>(N) - 1)];
  }

 private:
  std::mt19937_64 engine_;
};

// Any rule, shape, grouping, gate, layout: small enough for the oracle, and not so that results cancel to nothing.
Case random_case(std::uint64_t seed);

}  // namespace sluice::test
