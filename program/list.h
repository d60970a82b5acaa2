// `sluice list`: the kernels of this build.
#pragma once

#include <ostream>

namespace sluice {

/// Prints every kernel in the order in which the dispatcher prefers them: a table, or one JSON object a line.
/// Returns the exit status.
int list(bool json, std::ostream &out);

}  // namespace sluice
