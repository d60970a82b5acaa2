#include "program/report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace sluice {
namespace {

template <typename... Values>
std::string formatted(const char *format, Values... values) {
  char text[64];
  std::snprintf(text, sizeof(text), format, values...);
  return text;
}

std::string both(const std::string &chunk, const std::string &step) {
  return chunk.empty() || step.empty() ? chunk + step : chunk + " + " + step;
}

std::string kernels(const RunResult &r) { return both(r.chunk_kernel, r.step_kernel); }

std::string ops(const RunResult &r) {
  return both(r.chunk_kernel.empty() ? "" : "chunk", r.step_kernel.empty() ? "" : "step");
}

std::string stem(const std::string &file) { return std::filesystem::path(file).stem().string(); }

double nanoseconds_per_token_and_head(const RunResult &r) {
  return r.seconds * 1e9 / static_cast<double>(r.S * r.B * r.T * r.Hv);
}

std::string shape(const RunResult &r) {
  std::string text = "B" + std::to_string(r.B) + " T" + std::to_string(r.T);
  if (r.phase == Phase::decode) text += "x" + std::to_string(r.S);
  text += " H" + std::to_string(r.Hq) + "/" + std::to_string(r.Hk) + "/" + std::to_string(r.Hv);
  return text + " K" + std::to_string(r.K) + " V" + std::to_string(r.V);
}

class JsonReport : public Report {
 public:
  explicit JsonReport(std::ostream &out) : out_(out) {}

  void add(const RunResult &r) override {
    nlohmann::ordered_json line;
    line["file"] = r.file;
    line["phase"] = phase_name(r.phase);
    line["op"] = ops(r);
    line["rule"] = rule_name(r.rule);
    if (r.phase == Phase::decode) line["steps"] = r.S;
    line["B"] = r.B;
    line["T"] = r.T;
    line["Hq"] = r.Hq;
    line["Hk"] = r.Hk;
    line["Hv"] = r.Hv;
    line["K"] = r.K;
    line["V"] = r.V;
    line["kernel"] = kernels(r);
    line["threads"] = r.threads;
    line["seconds"] = r.seconds;
    if (r.baseline_seconds > 0) line["baseline_seconds"] = r.baseline_seconds;
    line["err_output"] = r.output_error;
    line["err_state"] = r.state_error;
    // File names need not be UTF-8.
    out_ << line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << std::endl;
  }

  void finish() override {}

 private:
  std::ostream &out_;
};

class TableReport : public Report {
 public:
  TableReport(std::ostream &out, std::size_t file_width)
      : out_(out),
        table_(out, {{"file", file_width},
                     {"rule", 4},
                     {"phase", 7},
                     {"shape (H: q/k/v)", 26},
                     {"time", 10, true},
                     {"err output", 10, true},
                     {"err state", 9, true},
                     {"", 5},
                     {"kernel", 0}}) {}

  void add(const RunResult &r) override {
    table_.row({stem(r.file), rule_name(r.rule), phase_name(r.phase), shape(r), formatted("%.1f us", r.seconds * 1e6),
                formatted("%.1e", r.output_error), formatted("%.1e", r.state_error),
                r.within_tolerance ? "ok" : "WRONG", kernels(r)});
    if (r.baseline_seconds > 0) with_baseline_.push_back(r);
  }

  void finish() override {
    if (!with_baseline_.empty()) out_ << '\n';
    for (const RunResult &r : with_baseline_) {
      out_ << rule_name(r.rule) << ' ' << phase_name(r.phase) << ": "
           << formatted("%.0f ns/token/head, %.1f x a plain C++ loop", nanoseconds_per_token_and_head(r),
                        r.baseline_seconds / r.seconds)
           << "  (" << stem(r.file) << ")" << std::endl;
    }
  }

 private:
  std::ostream &out_;
  Table table_;
  std::vector<RunResult> with_baseline_;
};

}  // namespace

std::unique_ptr<Report> json_report(std::ostream &out) { return std::make_unique<JsonReport>(out); }

std::unique_ptr<Report> table_report(std::ostream &out, const std::vector<std::string> &files) {
  std::size_t width = 0;
  for (const std::string &file : files) width = std::max(width, stem(file).size());
  return std::make_unique<TableReport>(out, width);
}

}  // namespace sluice
