// The machine's limits, measured where the kernels run: arithmetic of each ISA, and streaming through a state.
#pragma once

#include <cstddef>
#include <vector>

#include "program/aligned_vector.h"
#include "runtime/kernel.h"

namespace sluice::bench {

// The fastest of some short runs, in FLOP/s of one core: fused multiply-adds, or multiplies and adds where the ISA has
// no fused ones. The CPU must have the ISA.
double arithmetic_peak(Isa isa);

// The highest ISA this CPU runs.
Isa highest_isa();

// Scales a buffer of a state's size, in place or into another, with the CPU's widest vectors and plain stores.
class Stream {
 public:
  Stream(std::size_t floats, bool in_place, int workers);

  // Seconds a sweep; each worker takes a slice. With more than one worker the threads' start is not counted.
  double seconds(int sweeps);
  std::size_t floats() const { return from_.size(); }

 private:
  AlignedVector<float> from_, to_;
  bool in_place_;
  int workers_;
};

}  // namespace sluice::bench
