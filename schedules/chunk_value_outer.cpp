// chunk value_outer: the loops as one would first write them for a column of the state: the value dim outside, the
// innermost loop over channels, which strides through the state a row at a time. Scalar, WY form. The starting point of
// the optimisation history; head_dim is the same work with the loops reordered.
#include "schedules/parts.h"
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
  for (Halide::Func f : key_side(a)) f.compute_root();
  for (Halide::Func f : {a.state_read, a.pseudo_values, a.pseudo_read, a.corrected, a.output_sum, a.state_sum}) {
    f.compute_root();
  }
  a.pseudo_keys.compute_root();
  a.state_read.update().reorder(a.state_read.rvars(0)[0], a.t, a.r, a.v);
  a.pseudo_read.update().reorder(a.pseudo_read.rvars(0)[0], a.t, a.v);
  a.state_sum.reorder(a.c, a.v);
  a.state_sum.update().reorder(a.c, a.state_sum.rvars(0)[0], a.v);
  a.output.reorder(a.t, a.v);
  a.final_state.reorder(a.c, a.v);
}

const Register<Chunk> registered("value_outer", {knobs, apply});

}  // namespace
}  // namespace sluice::schedules
