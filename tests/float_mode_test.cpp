// The caller's floating-point mode and exception flags: neither changed by a call nor able to change its results.
#include "tests/float_mode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/layout.h"
#include "tests/run.h"

namespace sluice::test {
namespace {

constexpr float smallest_denormal = std::numeric_limits<float>::denorm_min();

// Products of decays run through the denormals.
Case denormal_case(sluice_rule rule, std::int64_t T) {
  Case c;
  c.rule = rule;
  c.shape = {1, T, 3, 3, 3, 64, 64};
  c.gate = Gate::small;
  return c;
}

class FloatMode : public ::testing::TestWithParam<sluice_rule> {
 protected:
  KeepFloatMode keep_;
};

INSTANTIATE_TEST_SUITE_P(Rules, FloatMode, ::testing::ValuesIn(all_rules),
                         [](const auto &info) { return rule_name(info.param); });

TEST_P(FloatMode, IsTheCallersAgainAfterACall) {
  Problem problem(denormal_case(GetParam(), 35));
  for (const int workers : {1, 3}) {
    ContextSetup setup;
    setup.workers = workers;
    const Context context = make_context(setup);
    const std::uint64_t usual = float_mode() & ~flush_to_zero;
    for (const std::uint64_t bits : {std::uint64_t{0}, flush_to_zero, round_up}) {
      const sluice_gated_delta_rule_args args = problem.args();
      set_float_mode(usual | bits);
      const sluice_status status = sluice_gated_delta_rule(context.get(), &args);
      const std::uint64_t after = float_mode();
      set_float_mode(usual);
      ASSERT_EQ(status, SLUICE_OK);
      EXPECT_EQ(after & mode_bits, (usual | bits) & mode_bits) << workers << " workers";
    }
  }
}

TEST_P(FloatMode, OfACallLeavesTheCallersExceptionFlags) {
  Problem problem(denormal_case(GetParam(), 35));
  for (const int workers : {1, 3}) {
    ContextSetup setup;
    setup.workers = workers;
    const Context context = make_context(setup);
    for (const std::uint64_t flags : {std::uint64_t{0}, inexact_flag}) {
      const sluice_gated_delta_rule_args args = problem.args();
      const std::uint64_t before = float_flags();
      set_float_flags(flags);
      const sluice_status status = sluice_gated_delta_rule(context.get(), &args);
      const std::uint64_t after = float_flags();
      set_float_flags(before);
      ASSERT_EQ(status, SLUICE_OK);
      EXPECT_EQ(after, flags) << workers << " workers";
    }
  }
}

TEST_P(FloatMode, IsTheCallersAgainAfterAnError) {
  Problem problem(denormal_case(GetParam(), 35));
  const Context context = make_context();
  sluice_gated_delta_rule_args args = problem.args();
  args.scale = std::numeric_limits<float>::infinity();
  const std::uint64_t before = float_mode();
  EXPECT_EQ(sluice_gated_delta_rule(context.get(), &args), SLUICE_INVALID_ARGUMENT);
  EXPECT_EQ(float_mode() & mode_bits, before & mode_bits);
}

TEST_P(FloatMode, IsTheCallersAgainOnItsOwnPoolsThreads) {
  struct Pool {
    static void parallel_for(void *data, std::int32_t count, sluice_task task, void *task_data) {
      for (std::int32_t i = 0; i < count; ++i) {
        const std::uint64_t mode = float_mode(), flags = float_flags();
        task(task_data, i);
        if ((float_mode() & mode_bits) != (mode & mode_bits) || float_flags() != flags)
          *static_cast<bool *>(data) = true;
      }
    }
  };
  bool changed = false;
  ContextSetup setup;
  setup.workers = 3;
  setup.parallel_for = Pool::parallel_for;
  setup.parallel_for_data = &changed;
  Problem problem(denormal_case(GetParam(), 35));
  run(make_context(setup).get(), problem.args());
  EXPECT_FALSE(changed);
}

TEST_P(FloatMode, SetBeforeACallChangesNoBit) {
  const std::uint64_t usual = float_mode() & ~flush_to_zero;
  for (const std::int64_t T : {1, 35}) {
    Problem problem(denormal_case(GetParam(), T));
    for (const sluice_kernel_info &row : rows_for(GetParam(), 64, 64)) {
      SCOPED_TRACE(row.name);
      const Context context = context_for(row);
      const Result plain = run(context.get(), problem.args());
      for (const std::uint64_t bits : {flush_to_zero, round_up}) {
        const sluice_gated_delta_rule_args args = problem.args();
        set_float_mode(usual | bits);
        const sluice_status status = sluice_gated_delta_rule(context.get(), &args);
        set_float_mode(usual);
        ASSERT_EQ(status, SLUICE_OK);
        EXPECT_TRUE(same_bits(plain, {gather(args.output), gather(args.final_state)}));
      }
    }
  }
}

// A pool whose threads run in the plain mode; a thread that the call itself starts would inherit the call's.
void plain_parallel_for(void *, std::int32_t count, sluice_task task, void *task_data) {
  const KeepFloatMode keep;
  for (std::int32_t i = 0; i < count; ++i) {
    set_float_mode(float_mode() & ~flush_to_zero);
    task(task_data, i);
  }
}

// 0.003^16 = 4e-41: a denormal where they are not flushed. On every thread that takes part.
TEST_P(FloatMode, DecayIntoTheDenormalsLeaves0) {
  Case c = denormal_case(GetParam(), 16);
  c.beta = Beta::zero;
  Problem problem(c);
  for (const sluice_kernel_info &row : rows_for(GetParam(), 64, 64)) {
    SCOPED_TRACE(row.name);
    for (const int workers : {1, 3}) {
      for (const sluice_parallel_for parallel_for : {sluice_parallel_for{}, sluice_parallel_for{plain_parallel_for}}) {
        ContextSetup setup;
        setup.kernel = row.name;
        setup.workers = workers;
        setup.parallel_for = parallel_for;
        const Result result = run(make_context(setup).get(), problem.args());
        EXPECT_TRUE(std::all_of(result.final_state.begin(), result.final_state.end(), [](float x) { return x == 0; }))
            << workers << " workers";
      }
    }
  }
}

TEST_P(FloatMode, DenormalInputsCountAsZero) {
  Problem denormal(denormal_case(GetParam(), 19)), zero(denormal_case(GetParam(), 19));
  for (Problem *problem : {&denormal, &zero}) {
    const float value = problem == &denormal ? smallest_denormal : 0.0F;
    for (const sluice_tensor *view : {&problem->query.view, &problem->value.view, &problem->initial_state.view}) {
      int n = 0;
      for_each_element(*view, [&](float &element) { element = n++ % 3 == 0 ? value : element; });
    }
  }
  for (const sluice_kernel_info &row : rows_for(GetParam(), 64, 64)) {
    SCOPED_TRACE(row.name);
    const Context context = context_for(row);
    const sluice_gated_delta_rule_args args = denormal.args();
    run(context.get(), args);
    EXPECT_TRUE(close_to(token_loop(zero.args()), args));
  }
}

}  // namespace
}  // namespace sluice::test
