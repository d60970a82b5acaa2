// Known faults of layout: heads, strides, sizes, states.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "tests/known_faults.h"
#include "tests/layout.h"

namespace sluice::test {
namespace {

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
      expect_right(grouped_from_nothing(rule, T));
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

TEST(KnownFaults, StaleStateInTheSlotIsNotInherited) {
  for (const sluice_rule rule : all_rules) {
    for (const std::int64_t T : {0, 1, 35}) {
      Problem problem(grouped_from_nothing(rule, T));
      const sluice_gated_delta_rule_args args = problem.args();
      const Expected expected = token_loop(args);
      problem.final_state.block.fill(1e30F);
      run(make_context().get(), args);
      EXPECT_TRUE(close_to(expected, args));
    }
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
