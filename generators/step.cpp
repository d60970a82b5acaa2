#include "generators/step.h"

namespace sluice::generators {

using namespace Halide;

Step::Step(const Arguments &arguments, const Extents &extents, const Knobs &chosen)
    : Operands(arguments, extents), knobs(chosen) {
  const RDom channel(0, key_dim, "channel");
  const RDom padded(0, padded_channels, "padded");
  const Expr now = 0;

  if (knobs.read == Read::new_state) {
    // S' = diag(a) S
    decayed_state(v, c, h, b) = decay_at(c, now) * state(v, c, h, b);
    // p = S'^T e, beta aside
    prediction(v, h, b) += probe(channel, now, 0, h, b) * decayed_state(v, channel, h, b);
    // delta = beta (v - p)
    correction(v, h, b) = strength(now, h, b) * (value(v, now, h, b) - prediction(v, h, b));
    // S = S' + k (x) delta
    final_state(v, c, h, b) = decayed_state(v, c, h, b) + key(c, now, h, b) * correction(v, h, b);
    // o = S^T q
    read_sum(v, g, h, b) += probe(channel, now, g + 1, h, b) * final_state(v, channel, h, b);
    output(v, t, g, h, b) = read_sum(v, g, h, b);
    return;
  }

  decayed_probe(c, r, h, b) = decay_at(c, now) * probe(c, now, r, h, b);
  // One sweep for all: S^T (a * probe)
  sweep(v, r, h, b) += decayed_probe(channel, r, h, b) * state(v, channel, h, b);
  // k . probe
  key_probe(r, h, b) += key(padded, now, h, b) * probe(padded, now, r, h, b);
  // delta = beta (v - p)
  correction(v, h, b) = strength(now, h, b) * (value(v, now, h, b) - sweep(v, 0, h, b));
  // o = S_old^T (a * q) + (k . q) delta
  output(v, t, g, h, b) = sweep(v, g + 1, h, b) + key_probe(g + 1, h, b) * correction(v, h, b);
  // S = diag(a) S + k (x) delta
  final_state(v, c, h, b) = decay_at(c, now) * state(v, c, h, b) + key(c, now, h, b) * correction(v, h, b);
}

}  // namespace sluice::generators
