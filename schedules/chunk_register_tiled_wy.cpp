// chunk register_tiled_wy: register_tiled with pseudo-keys and pseudo-values. More work; all of it but one read can be
// done before the state arrives.
#include "schedules/register_tiling.h"

namespace sluice::schedules {
namespace {

Chunk::Knobs knobs(const Machine &machine, const Tuning &tuning) {
  return register_tiling_knobs(machine, tuning, generators::Form::wy);
}

const Register<Chunk> registered("register_tiled_wy", {knobs, register_tiling});

}  // namespace
}  // namespace sluice::schedules
