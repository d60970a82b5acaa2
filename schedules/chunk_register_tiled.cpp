// chunk register_tiled: accumulators in registers, corrected values from the state read (in order). The fast one.
//
// Measured at kda, d128, T = 512, one thread, AVX2 on a shared Zen 3: 0.60 of the FMA peak by the 6KV count (1.74 us
// per token and head) when its neighbours were quiet, 0.25 to 0.5 when they used the cache; 6.6 x the chunk algorithm
// in plain C++ with contiguous loops, 3.0 x a two-pass token loop. By llvm-mca its state read and write run at the
// issue limit; what is left is corrected values, decay products and L2 traffic. d64 reaches 0.65 of d128's rate: what
// grows with C K and C^2 weighs more. A ragged end of fewer than 10 rows is faster by steps.
#include "schedules/register_tiling.h"

namespace sluice::schedules {
namespace {

Chunk::Knobs knobs(const Machine &machine, const Tuning &tuning) {
  return register_tiling_knobs(machine, tuning, generators::Form::in_order);
}

const Register<Chunk> registered("register_tiled", {knobs, register_tiling});

}  // namespace
}  // namespace sluice::schedules
