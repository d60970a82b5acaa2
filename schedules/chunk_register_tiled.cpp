// chunk register_tiled: accumulators in registers, corrected values from the state read (in order). The fast one.
#include "schedules/register_tiling.h"

namespace sluice::schedules {
namespace {

Chunk::Knobs knobs(const Machine &machine, const Tuning &tuning) {
  return register_tiling_knobs(machine, tuning, generators::Form::in_order);
}

const Register<Chunk> registered("register_tiled", {knobs, register_tiling});

}  // namespace
}  // namespace sluice::schedules
