// The gated delta rule as one would first write it in C++: what Sluice's speed is compared with.
#pragma once

#include "sluice/sluice.h"

namespace sluice {

/// Computes what sluice_gated_delta_rule does, token by token in fp32 on the calling thread, with the compiler's own
/// vectorisation. `args` must be valid for the operator and have a final_state.
void plain_loop(const sluice_gated_delta_rule_args &args);

}  // namespace sluice
