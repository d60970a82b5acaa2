// The cases every kernel row is held to.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "tests/problem.h"

namespace sluice::test {

// A problem, and the rows it is for: those compiled for this head dim; 0: for any.
struct RowCase {
  Case problem;
  int head_dim = 0;
};

std::ostream &operator<<(std::ostream &stream, const RowCase &row_case);

std::vector<RowCase> length_cases();     // T around every chunk length of the table
std::vector<RowCase> head_size_cases();  // odd sizes and K != V, for `any` rows
std::vector<RowCase> grouping_cases();   // every head grouping, divide and modulo
std::vector<RowCase> gate_cases();       // every gate and beta pattern, decay and log-decay
std::vector<RowCase> option_cases();     // absent states, scale 0, l2norm
std::vector<RowCase> layout_cases();     // every layout and placement

}  // namespace sluice::test
