// step two_pass: one sweep over the whole state for prediction and reads, then one that decays and writes it.
// Vectorised over the value dim. A state larger than the cache is fetched from memory twice: one_pass is better there.
#include "schedules/parts.h"
#include "schedules/registry.h"

namespace sluice::schedules {
namespace {

using Halide::RVar;
using Halide::TailStrategy;

Step::Knobs knobs(const Machine &machine, const Tuning &) {
  Step::Knobs k;
  k.read = generators::Read::old_state;
  k.channel_multiple = machine.lanes;
  return k;
}

void apply(Step &s, const Machine &machine, const Tuning &) {
  const int lanes = machine.lanes;
  prepare_rows(s, machine);
  vectorize_channels(s.decayed_probe, s.c, machine);
  s.key_probe.compute_root();
  sum_in_lanes(s.key_probe, s.r, machine);

  const RVar channel = s.sweep.rvars(0)[0];
  s.sweep.compute_root().vectorize(s.v, lanes, TailStrategy::RoundUp);
  s.sweep.update().reorder(s.v, s.r, channel, s.h, s.b).vectorize(s.v, lanes, TailStrategy::RoundUp);
  s.correction.compute_root().vectorize(s.v, lanes, TailStrategy::RoundUp);
  s.output.vectorize(s.v, lanes, value_tail(s.any));
  s.final_state.vectorize(s.v, lanes, value_tail(s.any));
}

const Register<Step> registered("two_pass", {knobs, apply});

}  // namespace
}  // namespace sluice::schedules
