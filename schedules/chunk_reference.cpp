// chunk reference: every Func at root, in the order of the formulas, scalar code, one running product through the whole
// chunk, WY form. The oracle that the other chunk schedules are compared with.
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
  for (Halide::Func f :
       {a.pseudo_keys, a.state_read, a.pseudo_values, a.pseudo_read, a.corrected, a.output_sum, a.state_sum}) {
    f.compute_root();
  }
}

const Register<Chunk> registered("reference", {knobs, apply});

}  // namespace
}  // namespace sluice::schedules
