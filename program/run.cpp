#include "program/run.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <limits>
#include <memory>
#include <set>
#include <stdexcept>

#include "program/capture.h"
#include "program/plain_loop.h"
#include "program/report.h"
#include "program/safetensors.h"
#include "sluice/sluice.h"

namespace sluice {
namespace {

namespace fs = std::filesystem;

struct ContextDeleter {
  void operator()(sluice_context *context) const { sluice_context_destroy(context); }
};
using Context = std::unique_ptr<sluice_context, ContextDeleter>;

Context make_context(const RunOptions &options) {
  sluice_context_options context_options;
  sluice_context_options_init(&context_options);
  context_options.workers = options.threads;
  context_options.schedule = options.schedule.c_str();
  context_options.isa = options.isa.empty() ? nullptr : options.isa.c_str();
  context_options.kernel = options.kernel.empty() ? nullptr : options.kernel.c_str();
  sluice_context *context = nullptr;
  if (sluice_context_create(&context_options, &context) != SLUICE_OK) {
    throw std::runtime_error(sluice_error_message(nullptr));
  }
  return Context(context);
}

// Runs all calls of a capture once; returns the seconds spent inside them.
template <typename Operator>
double run_calls(const Capture &capture, CaptureBuffers &buffers, const Operator &call) {
  using Clock = std::chrono::steady_clock;
  buffers.restore();
  Clock::duration spent{};
  for (std::int64_t step = 0; step < capture.S; ++step) {
    const sluice_gated_delta_rule_args args = buffers.arguments(step);
    const Clock::time_point start = Clock::now();
    call(args);
    spent += Clock::now() - start;
    buffers.keep_state(step);
  }
  return std::chrono::duration<double>(spent).count();
}

void check(const Capture &capture, sluice_context *context, sluice_status status) {
  if (status != SLUICE_OK) throw FileError(capture.file, sluice_error_message(context));
}

sluice_plan plan(const Capture &capture, CaptureBuffers &buffers, sluice_context *context) {
  sluice_plan plan{};
  plan.struct_size = sizeof(plan);
  const sluice_gated_delta_rule_args args = buffers.arguments(0);
  check(capture, context, sluice_gated_delta_rule_plan(context, &args, &plan));
  return plan;
}

void check_baseline(const Capture &capture, const CaptureBuffers &buffers, double tolerance) {
  // A wrong loop would make the comparison worthless.
  if (buffers.output_error() > tolerance || buffers.state_error() > tolerance) {
    throw FileError(capture.file, "the plain C++ loop does not reach the tolerance");
  }
}

RunResult run_capture(const Capture &capture, CaptureBuffers &buffers, const RunOptions &options,
                      sluice_context *context) {
  const sluice_plan kernels = plan(capture, buffers, context);
  RunResult result;
  result.file = capture.file;
  result.rule = capture.rule;
  result.phase = capture.phase;
  result.S = capture.S;
  result.B = capture.B;
  result.T = capture.T;
  result.Hq = capture.Hq;
  result.Hk = capture.Hk;
  result.Hv = capture.Hv;
  result.K = capture.K;
  result.V = capture.V;
  if (kernels.chunk_kernel != nullptr) result.chunk_kernel = kernels.chunk_kernel;
  if (kernels.step_kernel != nullptr) result.step_kernel = kernels.step_kernel;
  result.threads = options.threads;

  const auto sluice_call = [&](const sluice_gated_delta_rule_args &args) {
    check(capture, context, sluice_gated_delta_rule(context, &args));
  };
  std::unique_ptr<CaptureBuffers> baseline;
  if (options.baseline) baseline = std::make_unique<CaptureBuffers>(capture, options.layout, options.placement);
  result.seconds = std::numeric_limits<double>::infinity();
  result.baseline_seconds = baseline ? result.seconds : 0;
  for (int i = 0; i < options.repeat; ++i) {
    result.seconds = std::min(result.seconds, run_calls(capture, buffers, sluice_call));
    // In turn, so that both see the same machine.
    if (baseline)
      result.baseline_seconds = std::min(result.baseline_seconds, run_calls(capture, *baseline, plain_loop));
  }
  if (baseline) check_baseline(capture, *baseline, options.tolerance);

  result.output_error = buffers.output_error();
  result.state_error = buffers.state_error();
  result.within_tolerance = result.output_error <= options.tolerance && result.state_error <= options.tolerance;
  return result;
}

// Where the results of `file` go. Several files, or an OUT that is a folder: under the file's own name in it.
fs::path output_path(const RunOptions &options, const std::string &file) {
  fs::path output(options.output);
  if (options.files.size() == 1 && output.has_filename() && !fs::is_directory(output)) return output;
  return output / fs::path(file).filename();
}

// Before anything runs: results must not overwrite an input or each other.
void prepare_outputs(const RunOptions &options) {
  std::set<fs::path> taken;
  for (const std::string &file : options.files) {
    const fs::path path = output_path(options, file);
    if (!taken.insert(path).second) throw FileError(path.string(), "two files would have their results here");
    std::error_code ignored;
    for (const std::string &input : options.files) {
      if (fs::equivalent(path, input, ignored)) throw FileError(path.string(), "--output would overwrite an input");
    }
  }
  const fs::path folder = output_path(options, options.files.front()).parent_path();
  std::error_code problem;
  if (!folder.empty()) fs::create_directories(folder, problem);
  if (problem) throw FileError(folder.string(), "cannot be created: " + problem.message());
}

void write_results(const fs::path &path, const Capture &c, const CaptureBuffers &buffers) {
  const bool decode = c.phase == Phase::decode;
  const std::vector<std::int64_t> state_shape{c.B, c.Hv, c.K, c.V};
  std::vector<std::int64_t> output_shape{c.B, c.T, c.output_heads(), c.V}, states_shape = state_shape;
  if (decode) {
    output_shape.insert(output_shape.begin(), c.S);
    states_shape.insert(states_shape.begin(), c.S);
  }
  const AlignedVector<float> &states = buffers.states();
  const std::int64_t state_size = c.B * c.Hv * c.K * c.V;
  Safetensors results;
  results.metadata = {{"rule", rule_name(c.rule)}, {"phase", phase_name(c.phase)}};
  results.tensors["output"] = {output_shape, buffers.output_bthd()};
  results.tensors["final_state"] = {state_shape, AlignedVector<float>(states.end() - state_size, states.end())};
  if (decode) results.tensors["step_states"] = {states_shape, states};
  write_safetensors(path.string(), results);
}

}  // namespace

int run(const RunOptions &options, std::ostream &out, std::ostream &messages) {
  int status = exit_ok;
  const auto report_problem = [&](const char *problem) {
    messages << "sluice: " << problem << std::endl;
    status = exit_bad_input;
  };
  Context context;
  try {
    context = make_context(options);
    if (!options.output.empty()) prepare_outputs(options);
  } catch (const std::exception &problem) {
    report_problem(problem.what());
    return status;
  }
  const std::unique_ptr<Report> report = options.json ? json_report(out) : table_report(out, options.files);
  for (const std::string &file : options.files) {
    try {
      const Capture capture = read_capture(file);
      CaptureBuffers buffers(capture, options.layout, options.placement);
      const RunResult result = run_capture(capture, buffers, options, context.get());
      if (!options.output.empty()) write_results(output_path(options, file), capture, buffers);
      report->add(result);
      if (!result.within_tolerance && status == exit_ok) status = exit_beyond_tolerance;
    } catch (const std::exception &problem) {
      report_problem(problem.what());
    }
  }
  report->finish();
  return status;
}

}  // namespace sluice
