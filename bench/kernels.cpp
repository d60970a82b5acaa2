// One benchmark per row of the kernel table and model shape that fits it: chunk rows prefill, step rows decode in
// place. Compare ratios within one run only. One thread; pin it, e.g. taskset -c 1 sluice_bench --benchmark_filter=kda.
#include <benchmark/benchmark.h>

#include <string>

#include "sluice/sluice.h"
#include "tests/problem.h"
#ifdef SLUICE_HAVE_STUDY
#include "runtime/study.h"
#endif

namespace {

using sluice::test::Case;
using sluice::test::ModelShape;
using sluice::test::Problem;

constexpr std::int64_t prefill_tokens = 512;

void run_kernel(benchmark::State &state, const std::string &kernel, const Case &problem_case) {
  sluice_context_options options;
  sluice_context_options_init(&options);
  options.kernel = kernel.c_str();
  sluice_context *context = nullptr;
  if (sluice_context_create(&options, &context) != SLUICE_OK) {
    state.SkipWithError(sluice_error_message(nullptr));
    return;
  }
  Problem problem(problem_case);
  // The state is read and written where it is, as a runtime keeps it. Its values stay bounded: keys are normalised.
  const sluice_gated_delta_rule_args args = problem.in_place_args();
  for (auto _ : state) {
    if (sluice_gated_delta_rule(context, &args) != SLUICE_OK) {
      state.SkipWithError(sluice_error_message(context));
      break;
    }
    benchmark::ClobberMemory();
  }
  sluice_context_destroy(context);

  const auto &shape = problem_case.shape;
  const double tokens = static_cast<double>(state.iterations() * shape.B * shape.Hs * shape.T);
  using benchmark::Counter;
  state.counters["token_heads"] = Counter(tokens, Counter::kIsRate);
  state.counters["s_per_token_head"] = Counter(tokens, Counter::kIsRate | Counter::kInvert);
  // Only the recurrence's own 6 K V operations count, however many a kernel spends.
  const double operations = 6.0 * static_cast<double>(shape.K * shape.V);
  state.counters["FLOPS"] = Counter(operations * tokens, Counter::kIsRate);
}

void register_row(const sluice_kernel_info &row) {
  for (const ModelShape &model : sluice::test::model_shapes) {
    Case problem_case;
    problem_case.shape = model.shape;
    if (row.head_dim != 0 && (row.head_dim != model.shape.K || row.head_dim != model.shape.V)) continue;
    for (const sluice_rule rule : sluice::test::all_rules) {
      if (std::string(row.rule) == (rule == SLUICE_GDN ? "gdn" : rule == SLUICE_KDA ? "kda" : "gdn2")) {
        problem_case.rule = rule;
      }
    }
    problem_case.shape.T = std::string(row.op) == "chunk" ? prefill_tokens : 1;
    const std::string kernel = row.name;
    benchmark::RegisterBenchmark((kernel + "/" + model.name).c_str(), [kernel, problem_case](benchmark::State &state) {
      run_kernel(state, kernel, problem_case);
    })->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace

int main(int argc, char **argv) {
#ifdef SLUICE_HAVE_STUDY
  sluice::register_study_kernels();
#endif
  for (size_t index = 0; index < sluice_kernel_count(); index++) {
    sluice_kernel_info row{};
    row.struct_size = sizeof row;
    if (sluice_kernel_at(index, &row) == SLUICE_OK && row.runnable) register_row(row);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
