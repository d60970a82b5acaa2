// What a schedule needs to know of the machine, derived from the Halide target. The one place for such facts.
#pragma once

#include "Halide.h"

namespace sluice::schedules {

struct Machine {
  int lanes;      // fp32 numbers in a vector
  int registers;  // vector registers

  explicit Machine(const Halide::Target &target);
};

}  // namespace sluice::schedules
