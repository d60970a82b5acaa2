// step four_pass: the plain recurrence, four sweeps over the state at root: decay, predict, write, read. Scalar code;
// it is what the other step schedules are compared with, not a fast one.
#include "schedules/registry.h"

namespace sluice::schedules {
namespace {

Step::Knobs knobs(const Machine &, const Tuning &) {
  Step::Knobs k;
  k.read = generators::Read::new_state;
  return k;
}

void apply(Step &s, const Machine &, const Tuning &) {
  for (Halide::Func f : {s.key_square, s.query_square, s.key_norm, s.query_norm, s.key, s.probe, s.decay,
                         s.decayed_state, s.prediction, s.correction, s.read_sum}) {
    f.compute_root();
  }
}

const Register<Step> registered("four_pass", {knobs, apply});

}  // namespace
}  // namespace sluice::schedules
