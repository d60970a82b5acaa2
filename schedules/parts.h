// Pieces that several schedules share: tails, and the rows that every kernel prepares before it touches the state.
#pragma once

#include "generators/operands.h"
#include "schedules/machine.h"

namespace sluice::schedules {

// Tail of a tile over the value dim of an output. A constant head dim promises whole tiles; any other is guarded.
Halide::TailStrategy value_tail(bool any);

// key, query norms and decay: computed once per call, vectorised over channels, specialised on the run-time switches.
void prepare_rows(generators::Operands &operands, const Machine &machine);

// A Func over channels, materialised once per call. Rounding up is safe: rows are zero-extended.
void vectorize_channels(Halide::Func f, const Halide::Var &c, const Machine &machine);

}  // namespace sluice::schedules
