// Pieces that several schedules share: tails, and the rows that every kernel prepares before it touches the state.
#pragma once

#include "generators/chunk.h"
#include "schedules/machine.h"

namespace sluice::schedules {

// Whether a whole is a number of such parts.
constexpr bool divides(int part, int whole) { return part > 0 && whole % part == 0; }

// Tail of a tile over the value dim of an output. A constant head dim promises whole tiles; any other is guarded.
Halide::TailStrategy value_tail(bool any);

// A sum over channels whose Func is scheduled already: one vector of partial sums per entry, computed at `at`, and one
// horizontal add at the end.
void sum_in_lanes(Halide::Func sum, const Halide::Var &at, const Machine &machine);

// key, query norms and decay: computed once per call, vectorised over channels, specialised on the run-time switches.
void prepare_rows(generators::Operands &operands, const Machine &machine);

// A Func over channels, materialised once per call. Rounding up is safe: rows are zero-extended.
void vectorize_channels(Halide::Func f, const Halide::Var &c, const Machine &machine);

// A chunk's Funcs that depend on neither value nor state, with one running product through the whole chunk.
std::vector<Halide::Func> key_side(const generators::Chunk &chunk);

}  // namespace sluice::schedules
