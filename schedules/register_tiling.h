// The register-tiled chunk, for both forms of the algorithm.
//
// First what the state does not enter: decay products, causal terms (channels in lanes, a tile of pairs at a time, one
// horizontal add per pair) and the transform. Then, per tile of the value dim: read the state for all rows, correct,
// write outputs, write the state tile, which is still in L1.
#pragma once

#include "schedules/registry.h"

namespace sluice::schedules {

Chunk::Knobs register_tiling_knobs(const Machine &machine, const Tuning &tuning, generators::Form form);
void register_tiling(Chunk &chunk, const Machine &machine, const Tuning &tuning);

}  // namespace sluice::schedules
