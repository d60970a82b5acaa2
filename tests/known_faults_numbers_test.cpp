// Known faults of arithmetic: gates, norms, long and ragged sequences.
#include <gtest/gtest.h>

#include "tests/known_faults.h"
#include "tests/layout.h"

namespace sluice::test {
namespace {

TEST(KnownFaults, StrongDecayAtEveryTokenDoesNotOverflow) {
  for (const sluice_rule rule : all_rules) {
    for (const sluice_gate_kind kind : {SLUICE_GATE_DECAY, SLUICE_GATE_LOG_DECAY}) {
      Case c = grouped(rule, 64);
      c.gate = Gate::tiny;
      c.gate_kind = kind;
      expect_right(c);
    }
  }
}

TEST(KnownFaults, LogGatesOfMinus6AndMinus316DoNotOverflow) {
  for (const sluice_rule rule : all_rules) {
    Case c = grouped(rule, 64);
    c.gate_kind = SLUICE_GATE_LOG_DECAY;
    Problem problem(c);
    for_each_element(problem.gate.view, [](float &gate) { gate = -6.0F; });
    expect_right(problem);
    for_each_element(problem.gate.view, [](float &gate) { gate = -0.01F; });
    for (std::int64_t x = 0; x < (rule == SLUICE_GDN ? 1 : c.shape.K); ++x)
      at(problem.gate.view, 0, 1, 21, x) = -316.0F;
    expect_right(problem);
  }
}

TEST(KnownFaults, DecayOfExactly1IsTheUngatedDeltaRule) {
  for (const sluice_rule rule : {SLUICE_GDN, SLUICE_KDA}) {
    Case c = grouped(rule, 53);
    c.gate_kind = SLUICE_GATE_LOG_DECAY;
    c.gate = Gate::one;
    c.shape.Hk = c.shape.Hq = c.shape.Hs = 1;
    Problem problem(c);
    const sluice_gated_delta_rule_args args = problem.args();
    run(make_context().get(), args);
    // S <- S + beta k (v - S^T k)^T; no gate anywhere
    const std::int64_t K = c.shape.K, V = c.shape.V;
    std::vector<double> state;
    for (const float x : gather(args.initial_state)) state.push_back(static_cast<double>(x));
    for (std::int64_t t = 0; t < c.shape.T; ++t) {
      for (std::int64_t v = 0; v < V; ++v) {
        double prediction = 0;
        for (std::int64_t k = 0; k < K; ++k) {
          prediction += state[static_cast<std::size_t>(k * V + v)] * static_cast<double>(at(args.key, 0, 0, t, k));
        }
        const double delta = static_cast<double>(at(args.beta, 0, 0, t)) *
                             (static_cast<double>(at(args.value, 0, 0, t, v)) - prediction);
        for (std::int64_t k = 0; k < K; ++k) {
          state[static_cast<std::size_t>(k * V + v)] += static_cast<double>(at(args.key, 0, 0, t, k)) * delta;
        }
      }
    }
    EXPECT_LE(head_error(args.final_state, state.data()), default_tolerance);
  }
}

TEST(KnownFaults, DecayOfExactly0InMidChunkForgetsExactly) {
  for (const sluice_rule rule : all_rules) {
    constexpr std::int64_t T = 40, forgotten = 21;
    Case c = grouped(rule, T);
    Problem problem(c);
    for (std::int64_t h = 0; h < c.shape.Hs; ++h) {
      for (std::int64_t x = 0; x < (rule == SLUICE_GDN ? 1 : c.shape.K); ++x)
        at(problem.gate.view, 0, h, forgotten, x) = 0;
    }
    expect_right(problem);
    // Another past leads to the same bits after it.
    const Context context = make_context();
    const Result before = run(context.get(), problem.args());
    for_each_element(problem.initial_state.view, [](float &x) { x = 3.0F * x + 1.0F; });
    const Result after = run(context.get(), problem.args());
    EXPECT_TRUE(same_bits(before.final_state, after.final_state));
    const std::int64_t V = c.shape.V;
    for (std::int64_t i = 0; i < c.shape.Hs * T * V; ++i) {
      if (i / V % T < forgotten) continue;
      ASSERT_EQ(before.output[static_cast<std::size_t>(i)], after.output[static_cast<std::size_t>(i)]);
    }
  }
}

TEST(KnownFaults, NormalisedKeysStayFiniteOverLongSequences) {
  for (const sluice_rule rule : all_rules) {
    Case c = grouped(rule, 1000);
    c.gate = Gate::one;
    c.l2norm = true;
    expect_right(c);
  }
}

TEST(KnownFaults, RaggedLastChunkLeavesTheRightState) {
  for (const sluice_rule rule : all_rules) {
    for (std::int64_t T = 17; T <= 48; ++T) expect_right(grouped(rule, T));
  }
}

TEST(KnownFaults, SequencesMayBeLongerThan65536Tokens) {
  Case c;
  c.rule = SLUICE_KDA;
  c.shape = {1, 70000, 1, 1, 1, 8, 16};
  expect_right(c);
}

TEST(KnownFaults, WholeStateAfterEveryTokenEqualsOneCallUpToIt) {
  for (const sluice_rule rule : all_rules) {
    Problem problem(grouped(rule, 20));
    const sluice_gated_delta_rule_args args = problem.in_place_args();
    Problem again(grouped(rule, 20));
    const Context context = make_context();
    for (std::int64_t t = 0; t < 20; ++t) {
      run(context.get(), tokens(args, t, 1));
      EXPECT_TRUE(close_to(token_loop(tokens(again.args(), 0, t + 1)), tokens(args, 0, t + 1))) << "token " << t;
    }
  }
}

TEST(KnownFaults, L2NormIsTheSameInPrefillAndDecode) {
  for (const sluice_rule rule : all_rules) {
    Case c = grouped(rule, 32);
    c.l2norm = true;
    Problem problem(c);
    // |x|^2 near eps shows where eps enters
    for_each_element(problem.key.view, [](float &x) { x *= 3e-4F; });
    for_each_element(problem.query.view, [](float &x) { x *= 3e-4F; });
    expect_right(problem);
    const Context context = make_context();
    sluice_gated_delta_rule_args args = problem.in_place_args();
    EXPECT_FLOAT_EQ(args.l2norm_eps, 1e-6F);
    const Expected expected = token_loop(args);
    for (std::int64_t t = 0; t < 32; ++t) run(context.get(), tokens(args, t, 1));
    EXPECT_TRUE(close_to(expected, args));
  }
}

TEST(KnownFaults, DecayOf0Point9999IsNotRoundedTo1) {
  for (const sluice_rule rule : all_rules) {
    Case c = grouped(rule, 500);
    c.beta = Beta::zero;  // the state only decays: 0.9999^500 = 0.951
    Problem problem(c);
    for_each_element(problem.gate.view, [](float &decay) { decay = 0.9999F; });
    expect_right(problem);
  }
}

}  // namespace
}  // namespace sluice::test
