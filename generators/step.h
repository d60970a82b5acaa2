// One token of the gated delta rule.
#pragma once

#include "generators/operands.h"

namespace sluice::generators {

enum class Read {
  new_state,  // the plain recurrence: decay, predict, write, then read what was written
  old_state,  // prediction and read share one sweep over the old state: o = S^T (a * q) + (k . q) delta
};

struct StepKnobs {
  Read read = Read::old_state;
  bool all_heads = false;
  int channel_multiple = 1;
};

struct Step : Operands {
  using Knobs = StepKnobs;

  Knobs knobs;

  Func decayed_probe{"decayed_probe"};  // a * probe (c, r, h, b)
  Func sweep{"sweep"};                  // S^T (a * probe) (v, r, h, b): r = 0 predicts, r >= 1 reads    [old state]
  Func key_probe{"key_probe"};          // k . probe (r, h, b)                                           [old state]
  Func decayed_state{"decayed_state"};  // S' = diag(a) S (v, c, h, b)                                   [new state]
  Func prediction{"prediction"};        // p = S'^T e (v, h, b)                                          [new state]
  Func correction{"correction"};        // delta = z - p (v, h, b)
  Func read_sum{"read_sum"};            // S^T q after the write (v, g, h, b)                            [new state]
  Func output{"output"};                // (v, t, g, h, b), t = 0
  Func final_state{"final_state"};      // S' + k (x) delta (v, c, h, b)

  Step(const Arguments &arguments, const Extents &extents, const Knobs &knobs);
};

}  // namespace sluice::generators
