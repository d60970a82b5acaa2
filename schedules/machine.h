// What a schedule needs to know of the machine, derived from the Halide target. The one place for such facts.
#pragma once

#include "Halide.h"

namespace sluice::schedules {

struct Machine {
  int lanes;      // fp32 numbers in a vector
  int registers;  // vector registers
  int l1_bytes;   // smallest L1 data cache among the cores of this ISA

  explicit Machine(const Halide::Target &target);

  // Vectors of fp32 that `extent` numbers fill.
  int vectors(int extent) const { return (extent + lanes - 1) / lanes; }
};

}  // namespace sluice::schedules
