// The register-tiled chunk, for both forms of the algorithm.
//
// First what the state does not enter: key and probe rows times decay products (a vector of channels at a time with the
// loops over tokens unrolled, so that running products stay in registers: 1.1 x over loops), causal terms (channels in
// lanes, a tile of pairs at a time, their horizontal adds done together) and the transform. Then, per tile of the value
// dim: read the state for all rows, correct, write outputs, write the state tile. Sums over earlier tokens end at their
// row block, which saves half of a square.
//
// Rows of the next chunk come from memory meanwhile: each tile of a state read asks for a few lines
// (`prefetched`), 1.15 x on d128 at T = 2048, 1.3 x on d64; while rows are in the cache it costs up to 4 %.
//
// Registers: `read_rows` x `vectors` accumulators (2 x 4 of 16 registers, 4 x 4 of 32), the rest for a state row and
// broadcasts. 12 accumulators in 16 registers (3 x 4) and 24 in 32 (6 x 4) spill and lose a fifth; 8 x 2 in 32 reads a
// state's rows in half the width and is 5 % slower.
// L1: with 32 registers a tile is read in place; copying it first is 4 to 9 % slower, although its rows, a power of two
// apart, share a few sets of L1. With 16 registers rows are loaded twice as often, and the copy keeps those loads
// within a line: as fast where the state is aligned (d64: 7 % slower), 1.3 x where it is not, which is what NumPy
// gives.
//
// Measured at d128, T = 512, one thread: see chunk_register_tiled.cpp.
#pragma once

#include "schedules/registry.h"

namespace sluice::schedules {

Chunk::Knobs register_tiling_knobs(const Machine &machine, const Tuning &tuning, generators::Form form);
void register_tiling(Chunk &chunk, const Machine &machine, const Tuning &tuning);

}  // namespace sluice::schedules
