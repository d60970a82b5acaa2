// Which CPUs this thread may run on: both sides of a comparison on the same one.
#pragma once

#include <vector>

namespace sluice::bench {

// Those the process may use, as it was started.
const std::vector<int> &usable_cpus();

// Throws std::invalid_argument if the process may not use the CPU.
void pin_to(int cpu);
void unpin();

}  // namespace sluice::bench
