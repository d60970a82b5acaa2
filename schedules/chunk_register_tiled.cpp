// chunk register_tiled: accumulators in registers, corrected values from the state read (in order). The fast one.
//
// Measured at kda, d128, T = 512, one thread, AVX2 on a shared Zen 3: 0.61 of the FMA peak by the 6KV count (1.71 us
// per token and head) when its neighbours were quiet, 0.35 to 0.45 when they used the cache. There the state read takes
// 38 % of the time, at 0.85 of the peak, and the write 22 %; the rest is copying the tile (5 %), the rows' first use
// and decay products (15 %), values and corrected values (8 %), causal terms (5 %). d64 reaches 0.8 of d128's rate:
// what grows with C K and C^2 weighs more; C = 8 is no better. A ragged end of fewer than 10 rows is faster by steps.
#include "schedules/register_tiling.h"

namespace sluice::schedules {
namespace {

Chunk::Knobs knobs(const Machine &machine, const Tuning &tuning) {
  return register_tiling_knobs(machine, tuning, generators::Form::in_order);
}

const Register<Chunk> registered("register_tiled", {knobs, register_tiling});

}  // namespace
}  // namespace sluice::schedules
