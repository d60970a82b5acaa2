// What a caller's parallel_for may do wrong, and that a context survives it.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "tests/run.h"

namespace sluice::test {
namespace {

struct Pool {
  enum { in_order, throws, does_nothing, leaves_one_out } behaviour = in_order;
  int calls = 0;

  static void run(void *pool, std::int32_t count, sluice_task task, void *task_data) {
    Pool &self = *static_cast<Pool *>(pool);
    self.calls++;
    if (self.behaviour == throws) throw std::runtime_error("no threads");
    if (self.behaviour == does_nothing) return;
    for (std::int32_t n = self.behaviour == leaves_one_out ? 1 : 0; n < count; n++) task(task_data, n);
  }
};

class CallersPool : public ::testing::Test {
 protected:
  Pool pool;
  Context context;
  Case c;

  CallersPool() {
    ContextSetup setup;
    setup.workers = 3;
    setup.parallel_for = Pool::run;
    setup.parallel_for_data = &pool;
    context = make_context(setup);
    c.shape = {1, 19, 4, 4, 4, 64, 64};
  }
  void expect_failure(const std::string &said) {
    Problem problem(c);
    const sluice_gated_delta_rule_args args = problem.args();
    EXPECT_EQ(sluice_gated_delta_rule(context.get(), &args), SLUICE_INTERNAL);
    const std::string message = sluice_error_message(context.get());
    EXPECT_NE(message.find("parallel_for"), std::string::npos) << message;
    EXPECT_NE(message.find(said), std::string::npos) << message;
  }
  void expect_works_in_parallel() {
    pool.behaviour = Pool::in_order;
    const int before = pool.calls;
    Problem problem(c);
    const sluice_gated_delta_rule_args args = problem.args();
    run(context.get(), args);
    EXPECT_TRUE(close_to(token_loop(args), args));
    EXPECT_GT(pool.calls, before);
  }
};

TEST_F(CallersPool, ThatThrowsIsAnErrorOfOneCall) {
  pool.behaviour = Pool::throws;
  expect_failure("exception");
  expect_works_in_parallel();
}

TEST_F(CallersPool, ThatRunsNothingIsAnError) {
  pool.behaviour = Pool::does_nothing;
  expect_failure("0 of 3 tasks");
  expect_works_in_parallel();
}

TEST_F(CallersPool, ThatLeavesATaskOutIsAnError) {
  pool.behaviour = Pool::leaves_one_out;
  expect_failure("2 of 3 tasks");
  expect_works_in_parallel();
}

// A state to prepare and no token: the loop has no kernel to name.
TEST_F(CallersPool, IsNeededForStatesAlone) {
  c.shape.T = 0;
  pool.behaviour = Pool::does_nothing;
  expect_failure("0 of 3 tasks");
}

}  // namespace
}  // namespace sluice::test
