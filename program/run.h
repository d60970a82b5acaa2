// `sluice run`: runs captures, compares with what they expect, times them.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "program/capture_buffers.h"
#include "program/error.h"

namespace sluice {

struct RunOptions {
  std::vector<std::string> files;
  std::string output;  // empty: results are not kept
  int repeat = 1;
  int threads = 1;
  std::string schedule, isa, kernel;  // empty: the dispatcher's choice
  Layout layout = Layout::bthd;
  StatePlacement placement = StatePlacement::out_of_place;
  double tolerance = default_tolerance;
  bool baseline = false;
  bool json = false;
};

/// Exit statuses of the program.
enum ExitStatus : int {
  exit_ok = 0,
  exit_beyond_tolerance = 1,
  exit_bad_input = 2,  // a file or an option that cannot be used
};

/// Runs every file, also after one that is bad; messages go to `messages`. Returns the exit status.
int run(const RunOptions &options, std::ostream &out, std::ostream &messages);

}  // namespace sluice
