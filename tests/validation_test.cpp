// Every refusal: its status, a message with the argument, what was expected and what was given, and nothing written.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <stdexcept>
#include <thread>

#include "tests/validation_cases.h"

namespace sluice::test {
namespace {

class Validation : public ::testing::TestWithParam<Refusal> {};

TEST_P(Validation, SaysWhatIsWrongAndWritesNothing) {
  const Refusal &refusal = GetParam();
  Problem problem(valid_case(refusal.rule));
  sluice_gated_delta_rule_args args = problem.args();
  refusal.change(args, problem);
  const Context context = make_context();
  const std::vector<float> output(problem.output.block.data(),
                                  problem.output.block.data() + problem.output.block.size());
  const std::vector<float> state(problem.final_state.block.data(),
                                 problem.final_state.block.data() + problem.final_state.block.size());
  const std::vector<float> initial = gather(problem.initial_state.view);

  const sluice_status status = sluice_gated_delta_rule(context.get(), &args);
  const std::string message = sluice_error_message(context.get());
  EXPECT_EQ(status, refusal.status) << message;
  EXPECT_EQ(message.rfind(refusal.argument, 0), 0U) << message << "\nshould begin with " << refusal.argument;
  for (const char *word : refusal.words)
    EXPECT_NE(message.find(word), std::string::npos) << message << "\nlacks " << word;

  EXPECT_TRUE(
      same_bits(output, {problem.output.block.data(), problem.output.block.data() + problem.output.block.size()}));
  EXPECT_TRUE(same_bits(
      state, {problem.final_state.block.data(), problem.final_state.block.data() + problem.final_state.block.size()}));
  EXPECT_TRUE(same_bits(initial, gather(problem.initial_state.view)));

  sluice_plan plan{};
  plan.struct_size = sizeof plan;
  EXPECT_EQ(sluice_gated_delta_rule_plan(context.get(), &args, &plan), refusal.status);
  EXPECT_EQ(message, sluice_error_message(context.get()));
  EXPECT_EQ(plan.chunk_kernel, nullptr);
}

INSTANTIATE_TEST_SUITE_P(Table, Validation, ::testing::ValuesIn(refusals()),
                         [](const auto &info) { return info.param.name; });

// Without this, a check that refuses everything would pass the table.
TEST(Validation, AcceptsTheUnchangedCase) {
  for (const sluice_rule rule : all_rules) {
    Problem problem(valid_case(rule));
    const sluice_gated_delta_rule_args args = problem.args();
    const Context context = make_context();
    EXPECT_EQ(sluice_gated_delta_rule(context.get(), &args), SLUICE_OK) << sluice_error_message(context.get());
    EXPECT_STREQ(sluice_error_message(context.get()), "");
  }
}

TEST(Validation, AcceptsEmptyBatchesHeadsAndSequences) {
  for (const sluice_rule rule : all_rules) {
    for (const auto &empty : {std::function<void(Shape &)>([](Shape &s) { s.B = 0; }),
                              std::function<void(Shape &)>([](Shape &s) { s.Hq = s.Hk = s.Hs = 0; }),
                              std::function<void(Shape &)>([](Shape &s) { s.T = 0; })}) {
      Case c = valid_case(rule);
      empty(c.shape);
      SCOPED_TRACE(describe(c));
      Problem problem(c);
      const sluice_gated_delta_rule_args args = problem.args();
      const Context context = make_context();
      ASSERT_EQ(sluice_gated_delta_rule(context.get(), &args), SLUICE_OK) << sluice_error_message(context.get());
      EXPECT_TRUE(close_to(token_loop(args), args));
    }
  }
}

TEST(Validation, AcceptsAnyStrideWhereTheExtentIs1) {
  for (const sluice_rule rule : all_rules) {
    Case c;
    c.rule = rule;
    c.shape = {1, 1, 1, 1, 1, 1, 64};
    Problem problem(c);
    sluice_gated_delta_rule_args args = problem.args();
    const Result expected = run(make_context().get(), args);
    args = problem.args();
    for (sluice_tensor *view : {&args.query, &args.key, &args.value, &args.gate, &args.output, &args.final_state}) {
      for (int axis = 0; axis < view->rank; ++axis) {
        if (view->shape[axis] == 1) view->stride[axis] = axis % 2 == 0 ? INT64_MIN : INT64_MAX;
      }
    }
    const Context context = make_context();
    ASSERT_EQ(sluice_gated_delta_rule(context.get(), &args), SLUICE_OK) << sluice_error_message(context.get());
    EXPECT_TRUE(same_bits(expected, {gather(problem.output.view), gather(problem.final_state.view)}));
  }
}

// Columns of one buffer, side by side: ranges of addresses that cross, elements that do not.
TEST(Validation, AcceptsOutputsThatInterleaveWithInputs) {
  Case c = valid_case(SLUICE_KDA);
  Problem problem(c);
  sluice_gated_delta_rule_args args = problem.args();
  const Result expected = run(make_context().get(), args);
  const std::int64_t width = 2 * c.shape.Hs * c.shape.V;
  std::vector<float> packed(static_cast<std::size_t>(c.shape.B * c.shape.T * width));
  const std::vector<float> value = gather(args.value);
  for (sluice_tensor *view : {&args.value, &args.output}) {
    view->data = packed.data() + (view == &args.output ? c.shape.Hs * c.shape.V : 0);
    view->stride[0] = c.shape.T * width;
    view->stride[1] = c.shape.V;
    view->stride[2] = width;
  }
  for (std::int64_t b = 0, n = 0; b < c.shape.B; ++b) {
    for (std::int64_t h = 0; h < c.shape.Hs; ++h) {
      for (std::int64_t i = 0; i < c.shape.T * c.shape.V; ++i) {
        at(args.value, b, h, i / c.shape.V, i % c.shape.V) = value[static_cast<std::size_t>(n++)];
      }
    }
  }
  EXPECT_TRUE(same_bits(expected, run(make_context().get(), args)));
}

TEST(Validation, RefusesCallsWithoutContextOrArguments) {
  Problem problem(valid_case(SLUICE_KDA));
  const sluice_gated_delta_rule_args args = problem.args();
  EXPECT_EQ(sluice_gated_delta_rule(nullptr, &args), SLUICE_INVALID_ARGUMENT);
  EXPECT_NE(std::string(sluice_error_message(nullptr)).find("context"), std::string::npos);
  const Context context = make_context();
  EXPECT_EQ(sluice_gated_delta_rule(context.get(), nullptr), SLUICE_INVALID_ARGUMENT);
  EXPECT_NE(std::string(sluice_error_message(context.get())).find("args"), std::string::npos);
  EXPECT_EQ(sluice_gated_delta_rule_plan(context.get(), &args, nullptr), SLUICE_INVALID_ARGUMENT);
  EXPECT_NE(std::string(sluice_error_message(context.get())).find("plan"), std::string::npos);
}

TEST(Validation, RefusesBadContextOptions) {
  const struct {
    const char *argument;
    std::function<void(sluice_context_options &)> change;
  } table[] = {
      {"struct_size", [](auto &o) { o.struct_size = 8; }},
      {"struct_size", [](auto &o) { o.struct_size = sizeof o + 8; }},
      {"workers", [](auto &o) { o.workers = 0; }},
      {"workers", [](auto &o) { o.workers = -3; }},
      {"reserved0", [](auto &o) { o.reserved0 = 1; }},
      {"reserved", [](auto &o) { o.reserved[3] = 1; }},
  };
  for (const auto &row : table) {
    sluice_context_options options;
    sluice_context_options_init(&options);
    row.change(options);
    int elsewhere = 0;
    auto *context = reinterpret_cast<sluice_context *>(&elsewhere);
    EXPECT_EQ(sluice_context_create(&options, &context), SLUICE_INVALID_ARGUMENT) << row.argument;
    EXPECT_EQ(context, nullptr);
    EXPECT_NE(std::string(sluice_error_message(nullptr)).find(row.argument), std::string::npos)
        << sluice_error_message(nullptr);
  }
  EXPECT_EQ(sluice_context_create(nullptr, nullptr), SLUICE_INVALID_ARGUMENT);
}

TEST(Validation, RefusesASecondCallOnABusyContext) {
  struct Caller {
    sluice_context *context;
    const sluice_gated_delta_rule_args *args;
    sluice_status second;

    // A call from another thread while this one is inside the operator
    static void parallel_for(void *data, std::int32_t count, sluice_task task, void *task_data) {
      auto *caller = static_cast<Caller *>(data);
      std::thread([&] { caller->second = sluice_gated_delta_rule(caller->context, caller->args); }).join();
      for (std::int32_t i = 0; i < count; ++i) task(task_data, i);
    }
  };
  Problem problem(valid_case(SLUICE_KDA)), other(valid_case(SLUICE_KDA));
  const sluice_gated_delta_rule_args args = problem.args(), second_args = other.args();
  Caller caller{nullptr, &second_args, SLUICE_OK};
  ContextSetup setup;
  setup.workers = 2;
  setup.parallel_for = Caller::parallel_for;
  setup.parallel_for_data = &caller;
  const Context context = make_context(setup);
  caller.context = context.get();
  const Result untouched{gather(second_args.output), gather(second_args.final_state)};
  EXPECT_EQ(sluice_gated_delta_rule(context.get(), &args), SLUICE_OK) << sluice_error_message(context.get());
  EXPECT_EQ(caller.second, SLUICE_BUSY);
  EXPECT_TRUE(close_to(token_loop(args), args));
  EXPECT_TRUE(same_bits(untouched, {gather(second_args.output), gather(second_args.final_state)}));
}

TEST(Validation, KeepsAnExceptionOfTheCallersPoolInside) {
  Problem problem(valid_case(SLUICE_KDA));
  const sluice_gated_delta_rule_args args = problem.args();
  bool broken = true;
  ContextSetup setup;
  setup.workers = 2;
  setup.parallel_for_data = &broken;
  setup.parallel_for = [](void *data, std::int32_t count, sluice_task task, void *task_data) {
    if (*static_cast<bool *>(data)) throw std::runtime_error("no threads today");
    threaded_parallel_for(nullptr, count, task, task_data);
  };
  const Context context = make_context(setup);
  EXPECT_EQ(sluice_gated_delta_rule(context.get(), &args), SLUICE_INTERNAL);
  EXPECT_NE(std::string(sluice_error_message(context.get())).find("parallel_for"), std::string::npos);
  broken = false;
  ASSERT_EQ(sluice_gated_delta_rule(context.get(), &args), SLUICE_OK) << sluice_error_message(context.get());
  EXPECT_TRUE(close_to(token_loop(args), args));
}

TEST(Validation, EveryStatusHasAName) {
  EXPECT_STREQ(sluice_status_name(SLUICE_OK), "OK");
  EXPECT_STREQ(sluice_status_name(SLUICE_INVALID_ARGUMENT), "INVALID_ARGUMENT");
  EXPECT_STREQ(sluice_status_name(SLUICE_UNSUPPORTED), "UNSUPPORTED");
  EXPECT_STREQ(sluice_status_name(SLUICE_OUT_OF_MEMORY), "OUT_OF_MEMORY");
  EXPECT_STREQ(sluice_status_name(SLUICE_BUSY), "BUSY");
  EXPECT_STREQ(sluice_status_name(SLUICE_INTERNAL), "INTERNAL");
  EXPECT_NE(sluice_status_name(static_cast<sluice_status>(7)), nullptr);
}

}  // namespace
}  // namespace sluice::test
