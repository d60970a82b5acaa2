// Faults that implementations of this operator are known for, one test each, with the right value.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/layout.h"
#include "tests/run.h"

namespace sluice::test {
namespace {

Case grouped(sluice_rule rule, std::int64_t T) {
  Case c;
  c.rule = rule;
  c.shape = {1, T, 2, 2, 4, 64, 64};
  return c;
}

void expect_right(Problem &problem, double tolerance = default_tolerance) {
  const sluice_gated_delta_rule_args args = problem.args();
  const Context context = make_context();
  ASSERT_EQ(sluice_gated_delta_rule(context.get(), &args), SLUICE_OK) << sluice_error_message(context.get());
  EXPECT_TRUE(close_to(token_loop(args), args, tolerance));
}

void expect_right(const Case &c) {
  SCOPED_TRACE(describe(c));
  Problem problem(c);
  expect_right(problem);
}

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

TEST(KnownFaults, GroupedHeadsFollowTheHeadMap) {
  for (const sluice_rule rule : all_rules) {
    Case c = grouped(rule, 19);
    Problem divide(c);
    expect_right(divide);
    c.head_map = SLUICE_HEAD_MAP_MODULO;
    Problem modulo(c);
    expect_right(modulo);
    const Context context = make_context();
    EXPECT_FALSE(same_bits(run(context.get(), divide.args()), run(context.get(), modulo.args())));
  }
}

TEST(KnownFaults, OutputHasTheLargerHeadCount) {
  for (const sluice_rule rule : all_rules) {
    for (const std::int64_t T : {1, 19}) {
      Case c = grouped(rule, T);
      c.shape.Hq = 8;
      expect_right(c);
      Problem problem(c);
      sluice_gated_delta_rule_args args = problem.args();
      args.output.shape[1] = c.shape.Hs;
      EXPECT_EQ(sluice_gated_delta_rule(make_context().get(), &args), SLUICE_INVALID_ARGUMENT);
    }
  }
}

TEST(KnownFaults, EveryBatchHasItsOwnBeta) {
  for (const sluice_rule rule : {SLUICE_GDN, SLUICE_KDA}) {
    for (const std::int64_t T : {1, 19}) {
      Case c = grouped(rule, T);
      c.shape.B = 2;
      Problem problem(c);
      for (std::int64_t h = 0; h < c.shape.Hs; ++h) {
        for (std::int64_t t = 0; t < T; ++t) {
          at(problem.beta.view, 0, h, t) = 0.9F;
          at(problem.beta.view, 1, h, t) = 0.1F;
        }
      }
      expect_right(problem);
    }
  }
}

TEST(KnownFaults, SlicesOfOnePackedTensorAreReadWithTheirStrides) {
  constexpr std::int64_t B = 2, T = 19, H = 2, K = 64, V = 64, width = H * (K + K + V);
  Case c;
  c.rule = SLUICE_KDA;
  c.shape = {B, T, H, H, H, K, V};
  Problem problem(c);
  const Result expected = run(make_context().get(), problem.args());
  std::vector<float> packed(static_cast<std::size_t>(B * T * width));
  sluice_gated_delta_rule_args args = problem.args();
  std::int64_t column = 0;
  for (sluice_tensor *view : {&args.query, &args.key, &args.value}) {
    const sluice_tensor contiguous = *view;
    view->data = packed.data() + column;
    view->stride[0] = T * width;
    view->stride[1] = contiguous.shape[3];
    view->stride[2] = width;
    const std::vector<float> elements = gather(contiguous);
    std::size_t next = 0;
    for_each_element(*view, [&](float &x) { x = elements[next++]; });
    column += H * contiguous.shape[3];
  }
  EXPECT_TRUE(same_bits(expected, run(make_context().get(), args)));
}

TEST(KnownFaults, RaggedLastChunkLeavesTheRightState) {
  for (const sluice_rule rule : all_rules) {
    for (std::int64_t T = 17; T <= 48; ++T) expect_right(grouped(rule, T));
  }
}

TEST(KnownFaults, HeadDimsNeedNotFillVectors) {
  for (const sluice_rule rule : all_rules) {
    for (const std::int64_t size : {1, 2, 5, 31, 33, 65}) {
      Case c = grouped(rule, 35);
      c.shape.K = size;
      c.shape.V = 66 - size;
      c.gate_kind = SLUICE_GATE_LOG_DECAY;
      c.gate = Gate::wide;
      c.layout = Layout::packed;  // between the rows lies NaN
      expect_right(c);
    }
  }
}

TEST(KnownFaults, AbsentInitialStateIsZerosForEveryStateHead) {
  for (const sluice_rule rule : all_rules) {
    for (const std::int64_t T : {0, 1, 35}) {
      Case c = grouped(rule, T);
      c.initial_state = false;
      expect_right(c);
    }
  }
}

TEST(KnownFaults, StateOfKUnlikeVIsTheSameForPrefillAndDecode) {
  for (const sluice_rule rule : all_rules) {
    Case c = grouped(rule, 33);
    c.shape.K = 48;
    c.shape.V = 80;
    Problem problem(c);
    const Context context = make_context();
    const sluice_gated_delta_rule_args args = problem.args();
    const Expected expected = token_loop(args);
    run_cut(context.get(), args, 32);  // 32 tokens by chunks, one by a step
    EXPECT_TRUE(close_to(expected, args));
  }
}

TEST(KnownFaults, SequencesMayBeLongerThan65536Tokens) {
  Case c;
  c.rule = SLUICE_KDA;
  c.shape = {1, 70000, 1, 1, 1, 8, 16};
  expect_right(c);
}

TEST(KnownFaults, TensorsMayHoldMoreThan2To31Elements) {
  constexpr std::int64_t T = 19, K = 64, V = 64;
  constexpr std::int64_t far = (std::int64_t{1} << 31) + 4096;  // elements from one batch, or head, to the next
  constexpr std::size_t bytes = (3 * static_cast<std::size_t>(far) + 8192) * sizeof(float);
  void *const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) GTEST_SKIP() << "no 24 GB of address space";
  for (const sluice_rule rule : all_rules) {
    Case c;
    c.rule = rule;
    c.shape = {2, T, 2, 2, 2, K, V};
    Problem problem(c);
    const Result expected = run(make_context().get(), problem.args());
    for (const bool output : {false, true}) {
      sluice_gated_delta_rule_args args = problem.args();
      sluice_tensor &view = output ? args.output : args.key;
      const std::vector<float> elements = gather(view);
      view.data = memory;
      view.stride[0] = far;
      view.stride[1] = 2 * far;
      std::size_t next = 0;
      for_each_element(view, [&](float &x) { x = elements[next++]; });
      EXPECT_TRUE(same_bits(expected, run(make_context().get(), args))) << (output ? "output" : "key");
    }
  }
  munmap(memory, bytes);
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

TEST(KnownFaults, StaleStateInTheSlotIsNotInherited) {
  for (const sluice_rule rule : all_rules) {
    for (const std::int64_t T : {0, 1, 35}) {
      Case c = grouped(rule, T);
      c.initial_state = false;
      Problem problem(c);
      const sluice_gated_delta_rule_args args = problem.args();
      const Expected expected = token_loop(args);
      problem.final_state.block.fill(1e30F);
      run(make_context().get(), args);
      EXPECT_TRUE(close_to(expected, args));
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

TEST(KnownFaults, SequenceOfNoTokensKeepsItsState) {
  for (const sluice_rule rule : all_rules) {
    Problem problem(grouped(rule, 0));
    const Context context = make_context();
    const std::vector<float> initial = gather(problem.initial_state.view);
    EXPECT_TRUE(same_bits(initial, run(context.get(), problem.args()).final_state));
    EXPECT_TRUE(same_bits(initial, run(context.get(), problem.in_place_args()).final_state));
  }
}

}  // namespace
}  // namespace sluice::test
