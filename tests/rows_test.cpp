// Every kernel this CPU can run, alone, against the oracle: the shapes, gates and groupings of tests/cases.h.
#include <gtest/gtest.h>

#include "tests/cases.h"
#include "tests/run.h"

namespace sluice::test {
namespace {

class EveryRow : public ::testing::TestWithParam<RowCase> {};

TEST_P(EveryRow, EqualsTheTokenLoopAndItselfInPlace) {
  const Case &c = GetParam().problem;
  Problem problem(c);
  const Expected expected = token_loop(problem.args());
  const std::vector<sluice_kernel_info> rows = rows_of(c.rule, GetParam().head_dim);
  ASSERT_FALSE(rows.empty());
  for (const sluice_kernel_info &row : rows) {
    SCOPED_TRACE(row.name);
    const Context context = context_for(row);
    sluice_gated_delta_rule_args args = problem.args();
    const Result apart = run(context.get(), args);
    EXPECT_TRUE(close_to(expected, args));
    EXPECT_TRUE(problem.padding_untouched());

    if (!c.final_state) continue;
    if (c.initial_state) {
      args = problem.in_place_args();
      EXPECT_TRUE(same_bits(apart, run(context.get(), args))) << "in place";
      EXPECT_TRUE(problem.padding_untouched()) << "in place";
    }
    if (c.shape.T > row.chunk_length) {
      args = problem.args();
      EXPECT_TRUE(same_bits(apart, run_cut(context.get(), args, row.chunk_length))) << "in place after one chunk";
    }
  }
}

std::string name(const ::testing::TestParamInfo<RowCase> &info) { return describe(info.param.problem); }

INSTANTIATE_TEST_SUITE_P(Lengths, EveryRow, ::testing::ValuesIn(length_cases()), name);
INSTANTIATE_TEST_SUITE_P(HeadSizes, EveryRow, ::testing::ValuesIn(head_size_cases()), name);
INSTANTIATE_TEST_SUITE_P(Groupings, EveryRow, ::testing::ValuesIn(grouping_cases()), name);
INSTANTIATE_TEST_SUITE_P(Gates, EveryRow, ::testing::ValuesIn(gate_cases()), name);
INSTANTIATE_TEST_SUITE_P(Options, EveryRow, ::testing::ValuesIn(option_cases()), name);
INSTANTIATE_TEST_SUITE_P(Layouts, EveryRow, ::testing::ValuesIn(layout_cases()), name);

}  // namespace
}  // namespace sluice::test
