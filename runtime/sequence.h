// Runs a divided call: the loops over heads and tokens, carrying the state.
#pragma once

#include "runtime/context.h"
#include "runtime/problem.h"
#include "runtime/work.h"

namespace sluice {

// The arena must have been reserved with work.memory. A kernel's failure is in the context's message.
sluice_status run_sequence(sluice_context &context, const Problem &problem, const Work &work);

}  // namespace sluice
