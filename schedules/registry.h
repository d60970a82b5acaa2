// Schedules by name. A schedule is the knobs it wants of its algorithm and a function that schedules the algorithm's
// Funcs; its file registers it.
#pragma once

#include <string>

#include "generators/chunk.h"
#include "generators/step.h"
#include "schedules/machine.h"
#include "schedules/tuning.h"

namespace sluice::schedules {

using generators::Chunk;
using generators::Step;

template <typename Algorithm>
struct Schedule {
  typename Algorithm::Knobs (*knobs)(const Machine &, const Tuning &);
  void (*apply)(Algorithm &, const Machine &, const Tuning &);
};

template <typename Algorithm>
struct Register {
  Register(const std::string &name, const Schedule<Algorithm> &schedule);
};

// Ends the generator with an error that lists the known names if there is no such schedule.
template <typename Algorithm>
const Schedule<Algorithm> &find(const std::string &name);

}  // namespace sluice::schedules
