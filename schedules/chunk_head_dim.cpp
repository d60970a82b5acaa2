// chunk head_dim: every inner loop contiguous over the head dim and vectorised; batches and heads run in parallel
// inside the kernel. WY form. Sums live in memory, not in registers: register_tiled is the next step.
#include "schedules/parts.h"
#include "schedules/registry.h"

namespace sluice::schedules {
namespace {

using namespace Halide;

Chunk::Knobs knobs(const Machine &machine, const Tuning &) {
  Chunk::Knobs k;
  k.form = generators::Form::wy;
  k.row_block = k.chunk_length;
  k.all_heads = true;
  k.channel_multiple = machine.lanes;
  return k;
}

void apply(Chunk &a, const Machine &machine, const Tuning &) {
  const int lanes = machine.lanes;
  // A Func and its updates, computed per head, innermost over `inner`.
  auto per_head = [&](Func f, const Var &inner) {
    f.compute_at(a.output, a.h).vectorize(inner, lanes, TailStrategy::RoundUp);
    for (int stage = 0; stage < f.num_update_definitions(); stage++) {
      std::vector<VarOrRVar> order = {inner};
      for (const RVar &sum : f.rvars(stage)) order.push_back(sum);
      f.update(stage).reorder(order).vectorize(inner, lanes, TailStrategy::RoundUp);
    }
  };
  auto dot = [&](Func f) { f.compute_at(a.output, a.h).update().atomic().vectorize(f.rvars(0)[0], lanes); };

  for (Func f : {a.key_square, a.query_square}) dot(f);
  for (Func f : {a.key_norm, a.query_norm}) f.compute_at(a.output, a.h);
  for (Func f : {a.key, a.probe, a.decayed_key, a.pseudo_keys}) per_head(f, a.c);
  if (generators::scalar_decay(a.rule)) {
    for (Func f : {a.decay, a.prefix, a.suffix, a.pair_decay}) f.compute_at(a.output, a.h);
    dot(a.far_dot);
  } else {
    for (Func f : {a.decay, a.prefix, a.suffix, a.decayed_probe}) per_head(f, a.c);
    a.near_key.compute_at(a.output, a.h);
    a.near_key.update().reorder(a.c, a.near_key.rvars(0)[0], a.block).vectorize(a.c, lanes, TailStrategy::RoundUp);
    dot(a.near_dot);
    dot(a.self_dot);
  }
  for (Func f : {a.causal, a.inverse, a.triangular_transform, a.chunk_decay}) f.compute_at(a.output, a.h);
  for (Func f : {a.state_read, a.pseudo_values, a.pseudo_read, a.corrected, a.output_sum, a.state_sum})
    per_head(f, a.v);

  // Two loops, not one over h and b fused: bounds inference would then not see that an iteration needs one head only.
  a.output.vectorize(a.v, lanes, value_tail(a.any)).parallel(a.h).parallel(a.b);
  a.final_state.vectorize(a.v, lanes, value_tail(a.any)).parallel(a.h).parallel(a.b);
  a.final_state.compute_with(a.output, a.h);
}

const Register<Chunk> registered("head_dim", {knobs, apply});

}  // namespace
}  // namespace sluice::schedules
