// chunk register_tiled: accumulators in registers, corrected values from the state read (in order). The fast one.
//
// Measured at kda, d128, T = 512, one thread, by the 6 K V count: on Zen 4 0.70 of the FMA peak with AVX-512 (1.19 us
// per token and head), 0.61 with AVX2 and 0.52 of multiplies and adds without either; AVX2 on a shared Zen 3 0.61 when
// its neighbours were quiet, 0.35 to 0.45 when they used the cache. With AVX-512 gdn is at 0.75, gdn2 at 0.69.
//
// Where it stops, AVX-512 on Zen 4: state read and write take 72 % of the time and run at the FMA peak, so that nothing
// is left there. The rest is the rows' first use and decay products (10 %), causal terms (6 %), corrected values and
// outputs (6 %), requests for lines (4 %), none of it above 2.5 % in one loop. d64 reaches 0.8 of d128's rate: what
// grows with C K and C^2 weighs more; C = 8 is no better. From how many rows on a ragged end is faster as a chunk is
// measured per size (MIN_CHUNK_ROWS in variants.cmake).
#include "schedules/register_tiling.h"

namespace sluice::schedules {
namespace {

Chunk::Knobs knobs(const Machine &machine, const Tuning &tuning) {
  return register_tiling_knobs(machine, tuning, generators::Form::in_order);
}

const Register<Chunk> registered("register_tiled", {knobs, register_tiling});

}  // namespace
}  // namespace sluice::schedules
