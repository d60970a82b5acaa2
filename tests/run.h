// Running problems through the public C interface, and comparing what comes out.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "program/capture.h"  // rule_name
#include "program/error.h"
#include "sluice/sluice.h"
#include "tests/oracle.h"
#include "tests/problem.h"

namespace sluice::test {

struct ContextDeleter {
  void operator()(sluice_context *context) const { sluice_context_destroy(context); }
};
using Context = std::unique_ptr<sluice_context, ContextDeleter>;

// What a test asks of a context; "" and nullptr leave it to the library.
struct ContextSetup {
  int workers = 1;
  std::string kernel, schedule, isa;
  sluice_parallel_for parallel_for = nullptr;
  void *parallel_for_data = nullptr;
};

// Throws std::runtime_error with the library's message if there is no such context.
Context make_context(const ContextSetup &setup = {});
// A context in which one row runs everything.
Context context_for(const sluice_kernel_info &row);

std::vector<sluice_kernel_info> all_rows();
// The rows this CPU can run that take the rule and head dims.
std::vector<sluice_kernel_info> rows_for(sluice_rule rule, std::int64_t K, std::int64_t V);
// Those of them that are compiled for one head dim; 0: for any.
std::vector<sluice_kernel_info> rows_of(sluice_rule rule, int head_dim);
// The head dims that occur in the rows this CPU can run, 0 for `any` among them.
std::set<int> head_dims();
// The ISAs of those rows, lowest first.
std::vector<std::string> isas();
// Sizes to try rows of a head dim with; those of `any` rows fill no vector.
HeadSize size_for(int head_dim);

// Outputs in logical order; an absent final state is empty.
struct Result {
  std::vector<float> output, final_state;
};

// One call. Throws std::runtime_error with status and message unless the call succeeds.
Result run(sluice_context *context, const sluice_gated_delta_rule_args &args);
// One call for the first `cut` tokens, one in place for the rest. `args` must have a final state.
Result run_cut(sluice_context *context, const sluice_gated_delta_rule_args &args, std::int64_t cut);

sluice_plan plan(sluice_context *context, const sluice_gated_delta_rule_args &args);

// Bit for bit; the failure names the first element that differs.
::testing::AssertionResult same_bits(const std::vector<float> &expected, const std::vector<float> &actual);
::testing::AssertionResult same_bits(const Result &expected, const Result &actual);
// The outputs that `args` points at, in the project's measure of error (program/error.h).
::testing::AssertionResult close_to(const Expected &expected, const sluice_gated_delta_rule_args &args,
                                    double tolerance = default_tolerance);

// A parallel_for that starts `count` threads of its own, as a caller's might.
void threaded_parallel_for(void *user_data, std::int32_t count, sluice_task task, void *task_data);

}  // namespace sluice::test
