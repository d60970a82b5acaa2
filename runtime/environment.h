// The environment variables that Sluice reads, once per process.
#pragma once

namespace sluice {

struct Environment {
  // Values of SLUICE_ISA and SLUICE_KERNEL; "" where unset. Longer ones are cut, which leaves them unknown.
  char isa[64] = "";
  char kernel[256] = "";
};

const Environment &environment();

}  // namespace sluice
