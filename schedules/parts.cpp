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

std::vector<Func> key_side(const generators::Chunk &a) {
  std::vector<Func> funcs = {a.key_square,    a.query_square, a.key_norm,   a.query_norm,
                             a.key,           a.probe,        a.decay,      a.prefix,
                             a.suffix,        a.causal,       a.inverse,    a.triangular_transform,
                             a.decayed_probe, a.decayed_key,  a.chunk_decay};
  if (generators::scalar_decay(a.rule)) {
    funcs.insert(funcs.end(), {a.pair_decay, a.far_dot});
  } else {
    funcs.insert(funcs.end(), {a.near_key, a.near_dot, a.self_dot});
  }
  return funcs;
}

}  // namespace sluice::schedules
