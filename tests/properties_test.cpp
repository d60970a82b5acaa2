// What must hold for any problem: properties, most of them bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/layout.h"
#include "tests/run.h"

namespace sluice::test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

Case plain_case(sluice_rule rule, std::int64_t T, std::int64_t K, std::int64_t V) {
  Case c;
  c.rule = rule;
  c.shape = {1, T, 2, 2, 2, K, V};
  c.gate_kind = SLUICE_GATE_LOG_DECAY;
  return c;
}

// Each rule at each head dim that has kernels of its own, and at sizes that only `any` kernels take.
class EveryRule : public ::testing::TestWithParam<std::tuple<sluice_rule, int>> {
 protected:
  Case plain(std::int64_t T) const {
    const auto [rule, head_dim] = GetParam();
    return plain_case(rule, T, size_for(head_dim).K, size_for(head_dim).V);
  }
  std::vector<sluice_kernel_info> rows() const { return rows_of(std::get<0>(GetParam()), std::get<1>(GetParam())); }
};

INSTANTIATE_TEST_SUITE_P(Properties, EveryRule,
                         ::testing::Combine(::testing::ValuesIn(all_rules), ::testing::ValuesIn(head_dims())),
                         [](const auto &info) {
                           const int head_dim = std::get<1>(info.param);
                           return std::string(rule_name(std::get<0>(info.param))) + "_d" +
                                  (head_dim == 0 ? "any" : std::to_string(head_dim));
                         });

TEST_P(EveryRule, CutsAtMultiplesOfTheChunkLengthChangeNoBit) {
  const Context context = make_context();
  for (const std::int64_t T : {37, 50, 64}) {
    Problem problem(plain(T));
    sluice_gated_delta_rule_args args = problem.args();
    const std::int64_t C = plan(context.get(), args).chunk_length;
    ASSERT_GT(C, 1);
    const Result whole = run(context.get(), args);
    for (std::int64_t cut = C; cut <= T; cut += C) {
      args = problem.args();
      EXPECT_TRUE(same_bits(whole, run_cut(context.get(), args, cut))) << "cut at " << cut << " of " << T;
    }
  }
}

TEST_P(EveryRule, NumberOfWorkersChangesNoBit) {
  for (const std::int64_t T : {1, 37, 100}) {
    Case c = plain(T);
    for (const std::int64_t heads : {1, 2, 7}) {  // 1 and 2: fewer heads than workers, the value dim is split
      c.shape.Hq = c.shape.Hk = c.shape.Hs = heads;
      Problem problem(c);
      const Result alone = run(make_context().get(), problem.args());
      for (const int workers : {2, 3, 5}) {
        ContextSetup setup;
        setup.workers = workers;
        EXPECT_TRUE(same_bits(alone, run(make_context(setup).get(), problem.args()))) << describe(c) << " " << workers;
        EXPECT_TRUE(same_bits(alone, run(make_context(setup).get(), problem.in_place_args())))
            << describe(c) << " " << workers << " in place";
        setup.parallel_for = threaded_parallel_for;
        EXPECT_TRUE(same_bits(alone, run(make_context(setup).get(), problem.args())))
            << describe(c) << " " << workers << ", the caller's threads";
      }
    }
  }
}

// A state that nobody wants is each worker's own: workers must not meet there.
TEST_P(EveryRule, NumberOfWorkersChangesNoBitWhereTheStateIsDropped) {
  Case c = plain(300);
  c.shape.Hq = c.shape.Hk = c.shape.Hs = 8;
  c.final_state = false;
  Problem problem(c);
  const Result alone = run(make_context().get(), problem.args());
  for (const int workers : {2, 3, 5}) {
    ContextSetup setup;
    setup.workers = workers;
    for (const sluice_parallel_for parallel_for : {sluice_parallel_for{}, sluice_parallel_for{threaded_parallel_for}}) {
      setup.parallel_for = parallel_for;
      EXPECT_TRUE(same_bits(alone, run(make_context(setup).get(), problem.args()))) << workers;
    }
  }
}

// Kernels that run heads in parallel themselves take the same pools.
TEST_P(EveryRule, NumberOfWorkersChangesNoBitInAnyKernel) {
  Case c = plain(19);
  c.shape.B = 2;
  Problem problem(c);
  for (const sluice_kernel_info &row : rows()) {
    SCOPED_TRACE(row.name);
    ContextSetup setup;
    setup.kernel = row.name;
    const Result alone = run(make_context(setup).get(), problem.args());
    setup.workers = 3;
    EXPECT_TRUE(same_bits(alone, run(make_context(setup).get(), problem.args())));
    setup.parallel_for = threaded_parallel_for;
    EXPECT_TRUE(same_bits(alone, run(make_context(setup).get(), problem.args()))) << "the caller's threads";
  }
}

TEST_P(EveryRule, LaterTokenNeverChangesAnEarlierOutput) {
  constexpr std::int64_t T = 35;
  Case c = plain(T);
  Case d = c;
  d.seed = 2;
  for (const sluice_kernel_info &row : rows()) {
    SCOPED_TRACE(row.name);
    const Context context = context_for(row);
    for (const std::int64_t first : {3, 16, 21, 34}) {
      Problem problem(c), other(d);
      const Result before = run(context.get(), problem.args());
      std::vector<Tensor *> ours = problem.inputs(), theirs = other.inputs();
      for (std::size_t i = 0; i < ours.size() - 1; ++i) {  // all but the state
        const sluice_tensor &view = ours[i]->view;
        if (view.data == nullptr) continue;
        for (std::int64_t h = 0; h < view.shape[1]; ++h) {
          for (std::int64_t t = first; t < T; ++t) {
            for (std::int64_t x = 0; x < (view.rank == 4 ? view.shape[3] : 1); ++x) {
              at(view, 0, h, t, x) = at(theirs[i]->view, 0, h, t, x);
            }
          }
        }
      }
      run(context.get(), problem.args());
      std::size_t next = 0;
      for (std::int64_t h = 0; h < 2; ++h) {
        for (std::int64_t t = 0; t < T; ++t) {
          for (std::int64_t v = 0; v < c.shape.V; ++v, ++next) {
            if (t >= first) continue;
            ASSERT_EQ(before.output[next], at(problem.output.view, 0, h, t, v))
                << "token " << t << ", changed from " << first;
          }
        }
      }
    }
  }
}

TEST_P(EveryRule, LayoutChangesNoBit) {
  Case c = plain(37);
  c.shape.B = 2;
  Problem contiguous(c);
  for (const sluice_kernel_info &row : rows()) {
    SCOPED_TRACE(row.name);
    const Context context = context_for(row);
    const Result expected = run(context.get(), contiguous.args());
    for (const Layout layout : {Layout::bthd, Layout::packed, Layout::reversed}) {
      for (const Placement placement : {Placement::start, Placement::offset}) {
        Case strided = c;
        strided.layout = layout;
        strided.placement = placement;
        Problem problem(strided);
        EXPECT_TRUE(same_bits(expected, run(context.get(), problem.args()))) << describe(strided);
      }
    }
  }
}

TEST_P(EveryRule, PrefillEqualsRepeatedDecode) {
  constexpr std::int64_t T = 37;
  Problem problem(plain(T));
  sluice_gated_delta_rule_args args = problem.args();
  const Expected expected = token_loop(args);
  const Context context = make_context();
  run(context.get(), args);
  EXPECT_TRUE(close_to(expected, args));
  args = problem.in_place_args();
  for (std::int64_t t = 0; t < T; ++t) run(context.get(), tokens(args, t, 1));
  EXPECT_TRUE(close_to(expected, args));
}

TEST_P(EveryRule, NaNOrInfinityStaysInItsHead) {
  Case c = plain(35);
  c.shape.B = 2;
  for (const sluice_kernel_info &row : rows()) {
    SCOPED_TRACE(row.name);
    const Context context = context_for(row);
    Problem clean(c);
    const Result expected = run(context.get(), clean.args());
    for (const float poison : {not_a_number, infinity}) {
      for (std::size_t input = 0; input < 8; ++input) {
        Problem problem(c);
        const sluice_tensor &view = problem.inputs()[input]->view;
        if (view.data == nullptr) continue;
        at(view, 0, 1, std::min<std::int64_t>(7, view.shape[2] - 1)) = poison;
        run(context.get(), problem.args());
        std::size_t next = 0, next_state = 0;
        for (std::int64_t b = 0; b < 2; ++b) {
          for (std::int64_t h = 0; h < 2; ++h) {
            const bool poisoned = b == 0 && h == 1;
            for (std::int64_t i = 0; i < c.shape.T * c.shape.V; ++i, ++next) {
              if (poisoned) continue;
              ASSERT_EQ(expected.output[next], at(problem.output.view, b, h, i / c.shape.V, i % c.shape.V))
                  << "input " << input << ", batch " << b << ", head " << h;
            }
            for (std::int64_t i = 0; i < c.shape.K * c.shape.V; ++i, ++next_state) {
              if (poisoned) continue;
              ASSERT_EQ(expected.final_state[next_state],
                        at(problem.final_state.view, b, h, i / c.shape.V, i % c.shape.V))
                  << "input " << input << ", batch " << b << ", head " << h;
            }
          }
        }
      }
    }
  }
}

// A gate that is no number is not taken for a strong one.
TEST_P(EveryRule, NonFiniteGatesReachTheState) {
  for (const sluice_kernel_info &row : rows()) {
    SCOPED_TRACE(row.name);
    const Context context = context_for(row);
    for (const sluice_gate_kind kind : {SLUICE_GATE_DECAY, SLUICE_GATE_LOG_DECAY}) {
      for (const float poison : {not_a_number, -not_a_number, infinity}) {
        Case c = plain(19);
        c.gate_kind = kind;
        Problem problem(c);
        at(problem.gate.view, 0, 1, 3) = poison;
        const Result result = run(context.get(), problem.args());
        const auto head = result.final_state.begin() + c.shape.K * c.shape.V;
        EXPECT_TRUE(std::any_of(head, result.final_state.end(), [](float x) { return !std::isfinite(x); }))
            << "gate " << poison << " of kind " << kind;
      }
    }
  }
}

// Rows past the last token have no length to divide by.
TEST_P(EveryRule, NormalisationWorksWithoutEpsilon) {
  for (const sluice_kernel_info &row : rows()) {
    SCOPED_TRACE(row.name);
    const Context context = context_for(row);
    for (const std::int64_t T : {1, 10, 12, 14, 31}) {
      for (const float eps : {0.0F, 1e-41F}) {
        Case c = plain(T);
        c.l2norm = true;
        Problem problem(c);
        sluice_gated_delta_rule_args args = problem.args();
        args.l2norm_eps = eps;
        run(context.get(), args);
        EXPECT_TRUE(close_to(token_loop(args), args)) << "T = " << T << ", eps = " << eps;
      }
    }
  }
}

class LongRuns : public ::testing::TestWithParam<sluice_rule> {};

INSTANTIATE_TEST_SUITE_P(Rules, LongRuns, ::testing::ValuesIn(all_rules),
                         [](const auto &info) { return rule_name(info.param); });

// No token is forgotten in this many steps: rounding must not pile up.
TEST_P(LongRuns, FourThousandDecodeStepsStayClose) {
  constexpr std::int64_t T = 4096;
  Case c = plain_case(GetParam(), T, 128, 128);
  c.shape.Hq = c.shape.Hk = c.shape.Hs = 1;
  c.gate_kind = SLUICE_GATE_DECAY;
  Problem problem(c);
  for_each_element(problem.gate.view, [](float &decay) { decay = 0.99992F; });
  sluice_gated_delta_rule_args args = problem.in_place_args();
  const Expected expected = token_loop(args);
  const Context context = make_context();
  for (std::int64_t t = 0; t < T; ++t) {
    const sluice_gated_delta_rule_args step = tokens(args, t, 1);
    ASSERT_EQ(sluice_gated_delta_rule(context.get(), &step), SLUICE_OK);
  }
  EXPECT_TRUE(close_to(expected, args, 1e-5));
}

TEST_P(LongRuns, TwoHundredThousandTokensInOneCallStayClose) {
  Case c = plain_case(GetParam(), 200000, 16, 24);
  c.shape.Hq = c.shape.Hk = c.shape.Hs = 1;
  Problem problem(c);
  const sluice_gated_delta_rule_args args = problem.args();
  const Expected expected = token_loop(args);
  const Context context = make_context();
  ASSERT_EQ(sluice_gated_delta_rule(context.get(), &args), SLUICE_OK) << sluice_error_message(context.get());
  EXPECT_TRUE(close_to(expected, args, 1e-5));
}

}  // namespace
}  // namespace sluice::test
