// Faults that implementations of this operator are known for, one test each, with the right value.
#pragma once

#include <gtest/gtest.h>

#include "tests/run.h"

namespace sluice::test {

// Two query and key heads, four state heads.
inline Case grouped(sluice_rule rule, std::int64_t T) {
  Case c;
  c.rule = rule;
  c.shape = {1, T, 2, 2, 4, 64, 64};
  return c;
}

// From no state, the output of a lone token is (q . k) z: the seed is one whose q . k does not nearly cancel, since
// what is left of a cancellation has a large relative error in any fp32 arithmetic.
inline Case grouped_from_nothing(sluice_rule rule, std::int64_t T) {
  Case c = grouped(rule, T);
  c.initial_state = false;
  c.seed = 2;
  return c;
}

inline void expect_right(Problem &problem, double tolerance = default_tolerance) {
  const sluice_gated_delta_rule_args args = problem.args();
  const Context context = make_context();
  ASSERT_EQ(sluice_gated_delta_rule(context.get(), &args), SLUICE_OK) << sluice_error_message(context.get());
  EXPECT_TRUE(close_to(token_loop(args), args, tolerance));
}

inline void expect_right(const Case &c) {
  SCOPED_TRACE(describe(c));
  Problem problem(c);
  expect_right(problem);
}

}  // namespace sluice::test
