// chunk reference: every Func at root, in the order of the formulas, scalar code, one running product through the whole
// chunk, WY form. The oracle that the other chunk schedules are compared with.
#include "schedules/registry.h"

namespace sluice::schedules {
namespace {

Chunk::Knobs knobs(const Machine &, const Tuning &) {
  Chunk::Knobs k;
  k.form = generators::Form::wy;
  k.row_block = k.chunk_length;
  return k;
}

void apply(Chunk &a, const Machine &, const Tuning &) {
  std::vector<Halide::Func> funcs = {a.key_square, a.query_square, a.key_norm, a.query_norm, a.key, a.probe, a.decay,
                                     a.prefix, a.suffix, a.causal, a.inverse, a.triangular_transform, a.decayed_probe,
                                     a.decayed_key, a.state_read, a.pseudo_keys, a.pseudo_values, a.pseudo_read,
                                     a.corrected, a.output_sum, a.state_sum};
  if (generators::scalar_decay(a.rule)) {
    funcs.insert(funcs.end(), {a.pair_decay, a.far_dot});
  } else {
    funcs.insert(funcs.end(), {a.near_key, a.near_dot, a.self_dot});
  }
  for (Halide::Func f : funcs) f.compute_root();
}

const Register<Chunk> registered("reference", {knobs, apply});

}  // namespace
}  // namespace sluice::schedules
