#include "tests/run.h"

#include <cstring>
#include <stdexcept>
#include <thread>

namespace sluice::test {

Context make_context(const ContextSetup &setup) {
  sluice_context_options options;
  sluice_context_options_init(&options);
  options.workers = setup.workers;
  options.kernel = setup.kernel.c_str();
  options.schedule = setup.schedule.c_str();
  options.isa = setup.isa.c_str();
  options.parallel_for = setup.parallel_for;
  options.parallel_for_data = setup.parallel_for_data;
  sluice_context *context = nullptr;
  if (sluice_context_create(&options, &context) != SLUICE_OK) {
    throw std::runtime_error(std::string("no context: ") + sluice_error_message(nullptr));
  }
  return Context(context);
}

Context context_for(const sluice_kernel_info &row) {
  ContextSetup setup;
  setup.kernel = row.name;
  return make_context(setup);
}

std::vector<sluice_kernel_info> all_rows() {
  std::vector<sluice_kernel_info> rows(sluice_kernel_count());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].struct_size = sizeof(sluice_kernel_info);
    if (sluice_kernel_at(i, &rows[i]) != SLUICE_OK) throw std::runtime_error("sluice_kernel_at fails");
  }
  return rows;
}

std::vector<sluice_kernel_info> rows_for(sluice_rule rule, std::int64_t K, std::int64_t V) {
  std::vector<sluice_kernel_info> rows;
  for (const sluice_kernel_info &row : all_rows()) {
    const bool fits = row.head_dim == 0 || (K == row.head_dim && V == row.head_dim);
    if (row.runnable != 0 && fits && std::string(row.rule) == rule_name(rule)) rows.push_back(row);
  }
  return rows;
}

std::vector<sluice_kernel_info> rows_of(sluice_rule rule, int head_dim) {
  std::vector<sluice_kernel_info> rows;
  for (const sluice_kernel_info &row : all_rows()) {
    const bool fits = row.head_dim == head_dim && std::string(row.rule) == rule_name(rule);
    if (row.runnable != 0 && fits) rows.push_back(row);
  }
  return rows;
}

std::set<int> head_dims() {
  std::set<int> dims;
  for (const sluice_kernel_info &row : all_rows()) {
    if (row.runnable != 0) dims.insert(row.head_dim);
  }
  return dims;
}

std::vector<std::string> isas() {
  std::set<std::string> present;
  for (const sluice_kernel_info &row : all_rows()) {
    if (row.runnable != 0) present.insert(row.isa);
  }
  std::vector<std::string> ordered;
  for (const char *isa : {"base", "avx2", "avx512", "neon"}) {
    if (present.count(isa) != 0) ordered.emplace_back(isa);
  }
  return ordered;
}

HeadSize size_for(int head_dim) { return head_dim == 0 ? HeadSize{60, 100} : HeadSize{head_dim, head_dim}; }

Result run(sluice_context *context, const sluice_gated_delta_rule_args &args) {
  const sluice_status status = sluice_gated_delta_rule(context, &args);
  if (status != SLUICE_OK) {
    throw std::runtime_error(std::string(sluice_status_name(status)) + ": " + sluice_error_message(context));
  }
  return {gather(args.output), gather(args.final_state)};
}

Result run_cut(sluice_context *context, const sluice_gated_delta_rule_args &args, std::int64_t cut) {
  run(context, tokens(args, 0, cut));
  sluice_gated_delta_rule_args rest = tokens(args, cut, args.value.shape[2] - cut);
  rest.initial_state = args.final_state;
  run(context, rest);
  return {gather(args.output), gather(args.final_state)};
}

sluice_plan plan(sluice_context *context, const sluice_gated_delta_rule_args &args) {
  sluice_plan plan{};
  plan.struct_size = sizeof plan;
  const sluice_status status = sluice_gated_delta_rule_plan(context, &args, &plan);
  if (status != SLUICE_OK) {
    throw std::runtime_error(std::string(sluice_status_name(status)) + ": " + sluice_error_message(context));
  }
  return plan;
}

::testing::AssertionResult same_bits(const std::vector<float> &expected, const std::vector<float> &actual) {
  if (expected.size() != actual.size()) {
    return ::testing::AssertionFailure() << expected.size() << " elements against " << actual.size();
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::memcmp(&expected[i], &actual[i], sizeof(float)) != 0) {
      return ::testing::AssertionFailure() << "element " << i << ": " << expected[i] << " against " << actual[i];
    }
  }
  return ::testing::AssertionSuccess();
}

::testing::AssertionResult same_bits(const Result &expected, const Result &actual) {
  const ::testing::AssertionResult output = same_bits(expected.output, actual.output);
  if (!output) return ::testing::AssertionFailure() << "output, " << output.message();
  const ::testing::AssertionResult state = same_bits(expected.final_state, actual.final_state);
  if (!state) return ::testing::AssertionFailure() << "final_state, " << state.message();
  return ::testing::AssertionSuccess();
}

::testing::AssertionResult close_to(const Expected &expected, const sluice_gated_delta_rule_args &args,
                                    double tolerance) {
  const double output = head_error(args.output, expected.output.data());
  if (!(output <= tolerance)) {
    return ::testing::AssertionFailure() << "output is off by " << output << ", more than " << tolerance;
  }
  if (args.final_state.data == nullptr) return ::testing::AssertionSuccess();
  const double state = head_error(args.final_state, expected.final_state.data());
  if (!(state <= tolerance)) {
    return ::testing::AssertionFailure() << "final_state is off by " << state << ", more than " << tolerance;
  }
  return ::testing::AssertionSuccess();
}

void threaded_parallel_for(void *, std::int32_t count, sluice_task task, void *task_data) {
  std::vector<std::thread> threads;
  for (std::int32_t i = 0; i < count; ++i) threads.emplace_back(task, task_data, i);
  for (std::thread &thread : threads) thread.join();
}

}  // namespace sluice::test
