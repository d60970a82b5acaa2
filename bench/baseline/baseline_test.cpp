// The baselines against the oracle: a wrong loop would make every comparison worthless.
#include "bench/baseline/baseline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "tests/cases.h"
#include "tests/run.h"

namespace sluice::bench {
namespace {

using test::Case;
using test::Problem;

class EveryBaseline : public ::testing::TestWithParam<Baseline> {};

// Baselines have no special head dims: the sizes of `any` rows say all.
std::vector<test::RowCase> cases() {
  std::vector<test::RowCase> all;
  for (const auto &list : {test::length_cases(), test::head_size_cases(), test::grouping_cases(), test::gate_cases(),
                           test::option_cases(), test::layout_cases()}) {
    for (const test::RowCase &c : list) {
      if (c.head_dim == 0 && !c.problem.l2norm && c.problem.shape.Hq <= c.problem.shape.Hs) all.push_back(c);
    }
  }
  return all;
}

TEST_P(EveryBaseline, EqualsTheTokenLoop) {
  // exp(g_i) exp(-g_j) loses what the project's own kernels keep: a few units more in the last places.
  constexpr double tolerance = 2e-5;
  const std::vector<test::RowCase> all = cases();
  ASSERT_GT(all.size(), 100U);
  for (const test::RowCase &c : all) {
    SCOPED_TRACE(describe(c.problem));
    Problem problem(c.problem);
    const test::Expected expected = test::token_loop(problem.args());
    const sluice_gated_delta_rule_args args = problem.args();
    GetParam().run(args);
    EXPECT_TRUE(test::close_to(expected, args, tolerance));
    EXPECT_TRUE(problem.padding_untouched());
    if (!c.problem.initial_state || !c.problem.final_state) continue;
    const sluice_gated_delta_rule_args in_place = problem.in_place_args();
    GetParam().run(in_place);
    EXPECT_TRUE(test::close_to(expected, in_place, tolerance)) << "in place";
  }
}

TEST_P(EveryBaseline, RefusesWhatItDoesNotCompute) {
  Case normalised;
  normalised.l2norm = true;
  EXPECT_THROW(GetParam().run(Problem(normalised).args()), std::invalid_argument);
  Case grouped;
  grouped.shape.Hq = 2;
  EXPECT_THROW(GetParam().run(Problem(grouped).args()), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(Baselines, EveryBaseline, ::testing::ValuesIn(baselines()),
                         [](const auto &info) { return std::string(info.param.name); });

}  // namespace
}  // namespace sluice::bench
