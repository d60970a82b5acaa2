// How `sluice run` shows its results.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "program/capture.h"
#include "program/table.h"

namespace sluice {

/// What running one capture gave.
struct RunResult {
  std::string file;
  sluice_rule rule = SLUICE_GDN;
  Phase phase = Phase::prefill;
  std::int64_t S = 1, B = 0, T = 0, Hq = 0, Hk = 0, Hv = 0, K = 0, V = 0;
  std::string chunk_kernel, step_kernel;  // empty if none of that op ran
  int threads = 1;
  double seconds = 0;
  double baseline_seconds = 0;  // 0 if not measured
  double output_error = 0, state_error = 0;
  bool within_tolerance = true;
};

/// Shows results one by one, as they come.
class Report {
 public:
  virtual ~Report() = default;
  virtual void add(const RunResult &result) = 0;
  virtual void finish() = 0;
};

/// One JSON object a line. An error that is not finite is null.
std::unique_ptr<Report> json_report(std::ostream &out);

/// A table; then, where a baseline was measured, a line per file with the speed. `files` sets the first column's width.
std::unique_ptr<Report> table_report(std::ostream &out, const std::vector<std::string> &files);

}  // namespace sluice
