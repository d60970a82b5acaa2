#include "schedules/parts.h"

namespace sluice::schedules {

using namespace Halide;

TailStrategy value_tail(bool any) { return any ? TailStrategy::GuardWithIf : TailStrategy::RoundUp; }

void vectorize_channels(Func f, const Var &c, const Machine &machine) {
  f.compute_root().vectorize(c, machine.lanes, TailStrategy::RoundUp);
}

void sum_in_lanes(Func sum, const Var &at, const Machine &machine) {
  const Var lane("lane");
  const RVar channel = sum.rvars(0)[0], outer("outer"), inner("inner");
  Func partial = sum.update().split(channel, outer, inner, machine.lanes).rfactor(inner, lane);
  partial.compute_at(sum, at).reorder_storage(lane, sum.args()[0]).reorder(lane, sum.args()[0]).vectorize(lane);
  partial.update().reorder(lane, outer).vectorize(lane);
  sum.update().atomic().vectorize(inner);
}

void prepare_rows(generators::Operands &o, const Machine &machine) {
  // The sums of squares are computed inside the branch that uses them: without l2norm they cost nothing.
  for (auto [square, norm] : {std::pair{o.key_square, o.key_norm}, std::pair{o.query_square, o.query_norm}}) {
    norm.compute_root().specialize(o.l2norm);
    square.compute_at(norm, o.t);
    sum_in_lanes(square, o.t, machine);
  }
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
