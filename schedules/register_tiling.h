// The register-tiled chunk, for both forms of the algorithm.
//
// First what the state does not enter: key and probe rows times decay products (a vector of channels at a time with the
// loops over tokens unrolled, so that running products stay in registers: 1.1 x over loops), causal terms (channels in
// lanes, a tile of pairs at a time, one horizontal add per pair) and the transform. Then, per tile of the value dim:
// copy the state tile, read it for all rows, correct, write outputs, write the state tile. Sums over earlier tokens end
// at their row block, which saves half of a square.
//
// Rows of the next chunk come from memory meanwhile: each tile of a state read asks for a few lines
// (`prefetched`), 1.08 to 1.17 x.
//
// Registers: `read_rows` x `vectors` accumulators (2 x 4 of 16 registers, 8 x 2 of 32), the rest for a state row and
// broadcasts. 12 accumulators in 16 registers (3 x 4) spill and lose a quarter.
// L1: the copied tile is K x vectors x lanes x 4 bytes, 16 KiB at d128. Without the copy its rows, 512 bytes apart,
// share a quarter of the sets and evict each other between the row tiles that read them.
//
// Measured at d128, T = 512, one thread, AVX2 on Zen 3 (16 registers): see chunk_register_tiled.cpp.
#pragma once

#include "schedules/registry.h"

namespace sluice::schedules {

Chunk::Knobs register_tiling_knobs(const Machine &machine, const Tuning &tuning, generators::Form form);
void register_tiling(Chunk &chunk, const Machine &machine, const Tuning &tuning);

}  // namespace sluice::schedules
