// Checks a call's arguments, all of them before anything is written, and brings them to normal form.
#pragma once

#include "runtime/message.h"
#include "runtime/problem.h"
#include "sluice/sluice.h"

namespace sluice {

// Everything that does not depend on the kernel.
sluice_status validate(const sluice_gated_delta_rule_args *args, Problem *problem, Message &message);

// Kernels index with 32 bits within a call: the tokens of one call, query groups and the state must stay in reach.
sluice_status check_limits(const Problem &problem, std::int64_t chunk_length, Message &message);

}  // namespace sluice
