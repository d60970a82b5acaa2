#include "schedules/parts.h"

namespace sluice::schedules {

using namespace Halide;

TailStrategy value_tail(bool any) { return any ? TailStrategy::GuardWithIf : TailStrategy::RoundUp; }

void vectorize_channels(Func f, const Var &c, const Machine &machine) {
  f.compute_root().vectorize(c, machine.lanes, TailStrategy::RoundUp);
}

void prepare_rows(generators::Operands &o, const Machine &machine) {
  for (Func square : {o.key_square, o.query_square}) {
    square.compute_root();
    square.update().atomic().vectorize(square.rvars(0)[0], machine.lanes);
  }
  for (Func norm : {o.key_norm, o.query_norm}) norm.compute_root().specialize(o.l2norm);
  vectorize_channels(o.key, o.c, machine);
  if (generators::scalar_decay(o.rule)) {
    o.decay.compute_root();
  } else {
    vectorize_channels(o.decay, o.c, machine);
    o.decay.specialize(o.gate_is_log);
  }
}

}  // namespace sluice::schedules
