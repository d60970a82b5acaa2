// What the library does to memory: nothing beyond its tensors, no heap in steady state, an error when there is none.
#include <gtest/gtest.h>

#include <atomic>

#include "runtime/allocate.h"
#include "runtime/diagnostics.h"
#include "tests/heap.h"
#include "tests/layout.h"
#include "tests/run.h"

namespace sluice::test {
namespace {

struct Sized {
  sluice_rule rule;
  int head_dim;
  HeadSize size;
};

std::vector<Sized> sizes() {
  std::vector<Sized> all;
  for (const sluice_rule rule : all_rules) {
    for (const int head_dim : head_dims()) {
      all.push_back({rule, head_dim, size_for(head_dim)});
      if (head_dim == 0) all.push_back({rule, head_dim, {3, 7}});
    }
  }
  return all;
}

class Memory : public ::testing::TestWithParam<Sized> {
 protected:
  Case plain(std::int64_t T) const {
    Case c;
    c.rule = GetParam().rule;
    c.shape = {1, T, 4, 1, 2, GetParam().size.K, GetParam().size.V};
    return c;
  }
  std::vector<sluice_kernel_info> rows() const { return rows_of(GetParam().rule, GetParam().head_dim); }
};

INSTANTIATE_TEST_SUITE_P(Sizes, Memory, ::testing::ValuesIn(sizes()), [](const auto &info) {
  return std::string(rule_name(info.param.rule)) + "_" + std::to_string(info.param.size.K) + "x" +
         std::to_string(info.param.size.V);
});

// A read or write beyond either end of any tensor, or a write to an input, ends the process.
TEST_P(Memory, NothingBesideATensorIsTouched) {
  for (const std::int64_t T : {1, 5, 19}) {
    for (const Placement placement : {Placement::start, Placement::end}) {
      Case c = plain(T);
      c.placement = placement;
      Problem problem(c);
      for (Tensor *input : problem.inputs()) {
        if (input->view.data != nullptr) input->block.make_read_only();
      }
      for (const sluice_kernel_info &row : rows()) {
        SCOPED_TRACE(row.name);
        const sluice_gated_delta_rule_args args = problem.args();
        run(context_for(row).get(), args);
        EXPECT_TRUE(close_to(token_loop(args), args));
      }
    }
  }
}

TEST_P(Memory, SecondCallOfAShapeAllocatesNothing) {
  if (!heap_is_watched()) GTEST_SKIP() << "a sanitizer owns malloc";
  const auto expect_none = [&](const ContextSetup &setup) {
    const Context context = make_context(setup);
    for (const std::int64_t T : {1, 19, 64}) {
      Problem problem(plain(T));
      const sluice_gated_delta_rule_args args = problem.in_place_args();
      ASSERT_EQ(sluice_gated_delta_rule(context.get(), &args), SLUICE_OK) << sluice_error_message(context.get());
      const std::int64_t before = heap_allocations();
      const sluice_status status = sluice_gated_delta_rule(context.get(), &args);
      const std::int64_t after = heap_allocations();
      ASSERT_EQ(status, SLUICE_OK);
      EXPECT_EQ(after - before, 0) << "T = " << T << ", workers = " << setup.workers << " " << setup.kernel;
    }
  };
  for (const int workers : {1, 3}) {
    ContextSetup setup;
    setup.workers = workers;
    expect_none(setup);
    for (const sluice_kernel_info &row : rows()) {
      setup.kernel = row.name;
      expect_none(setup);
    }
  }
}

TEST_P(Memory, KernelsNeverNeedMoreThanTheirScratch) {
  for (const int workers : {1, 3}) {
    for (const sluice_kernel_info &row : rows()) {
      SCOPED_TRACE(row.name);
      ContextSetup setup;
      setup.workers = workers;
      setup.kernel = row.name;
      const Context context = make_context(setup);
      for (const std::int64_t T : {1, 5, 35}) {
        Problem problem(plain(T));
        run(context.get(), problem.args());
      }
      const ArenaStatistics statistics = arena_statistics(context.get());
      EXPECT_EQ(statistics.overflows, 0U);
      EXPECT_GT(statistics.capacity_bytes, 0U);
      EXPECT_LE(statistics.high_water_bytes, statistics.capacity_bytes);
    }
  }
}

// What the plan reports: small enough for L2 beside a state, and the same for any number of tokens.
TEST(Scratch, IsBoundedAndDoesNotGrowWithTokens) {
  if (head_dims().count(128) == 0) GTEST_SKIP() << "this build has no kernels for d128";
  for (const sluice_rule rule : all_rules) {
    for (const bool final_state : {true, false}) {
      std::int64_t bytes = 0;
      for (const std::int64_t T : {64, 4096}) {
        Case c;
        c.rule = rule;
        c.shape = {1, T, 2, 2, 2, 128, 128};
        c.final_state = final_state;
        Problem problem(c);
        const sluice_gated_delta_rule_args args = problem.args();
        const Context context = make_context();
        sluice_plan plan{};
        plan.struct_size = sizeof plan;
        ASSERT_EQ(sluice_gated_delta_rule_plan(context.get(), &args, &plan), SLUICE_OK);
        EXPECT_LE(plan.scratch_bytes, 256 * 1024);
        if (T == 64) {
          ASSERT_EQ(sluice_gated_delta_rule(context.get(), &args), SLUICE_OK);
          EXPECT_EQ(arena_statistics(context.get()).capacity_bytes, static_cast<std::size_t>(plan.scratch_bytes));
        }
        if (T > 64) {
          EXPECT_EQ(plan.scratch_bytes, bytes);
        }
        bytes = plan.scratch_bytes;
      }
    }
  }
}

TEST_P(Memory, FailedAllocationIsAnErrorAndNothingIsWritten) {
  if (!heap_is_watched()) GTEST_SKIP() << "a sanitizer owns malloc";
  for (const std::int64_t T : {1, 35}) {
    for (const bool final_state : {true, false}) {
      Case c = plain(T);
      c.final_state = final_state;
      Problem problem(c);
      const sluice_gated_delta_rule_args args = problem.args();
      const std::vector<float> untouched = gather(args.output);
      int failures = 0;
      for (std::int64_t n = 0;; ++n) {
        ASSERT_LT(n, 1000) << "allocations without end";
        sluice_context *context = nullptr;
        fail_heap_allocation(n);
        sluice_status status = sluice_context_create(nullptr, &context);
        const bool created = status == SLUICE_OK;
        if (created) status = sluice_gated_delta_rule(context, &args);
        fail_heap_allocation(-1);
        const Context owner(context);
        if (status == SLUICE_OK) break;
        ++failures;
        EXPECT_EQ(status, SLUICE_OUT_OF_MEMORY) << "allocation " << n;
        EXPECT_EQ(created, context != nullptr);
        EXPECT_STRNE(sluice_error_message(context), "");
        EXPECT_TRUE(same_bits(untouched, gather(args.output))) << "allocation " << n;
        EXPECT_TRUE(
            same_bits(std::vector<float>(gather(args.final_state).size(), untouched[0]), gather(args.final_state)))
            << "allocation " << n;
        if (!created) continue;
        // The context is as good as before.
        ASSERT_EQ(sluice_gated_delta_rule(context, &args), SLUICE_OK) << sluice_error_message(context);
        problem.args();
      }
      EXPECT_GE(failures, 1);
    }
  }
}

// The same at the library's own door to the heap, which every worker's scratch passes.
std::atomic<int> allocations_left{0};

TEST_P(Memory, RefusedScratchIsAnErrorAndNothingIsWritten) {
  for (const int workers : {1, 3}) {
    ContextSetup setup;
    setup.workers = workers;
    for (const sluice_kernel_info &row : rows()) {
      SCOPED_TRACE(row.name);
      setup.kernel = row.name;
      Problem problem(plain(35));
      int refused = 0;
      for (int n = 0; n < 100; ++n) {
        const Context context = make_context(setup);
        const sluice_gated_delta_rule_args args = problem.args();
        const Result untouched{gather(args.output), gather(args.final_state)};
        allocations_left = n;
        set_allocation_filter([](std::size_t) { return allocations_left.fetch_sub(1) > 0; });
        const sluice_status status = sluice_gated_delta_rule(context.get(), &args);
        set_allocation_filter(nullptr);
        if (status == SLUICE_OK) break;
        ++refused;
        EXPECT_EQ(status, SLUICE_OUT_OF_MEMORY);
        EXPECT_TRUE(same_bits(untouched, {gather(args.output), gather(args.final_state)}));
      }
      EXPECT_GE(refused, 1);
    }
  }
}

}  // namespace
}  // namespace sluice::test
