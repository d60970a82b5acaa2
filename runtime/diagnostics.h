// What tests look at inside a context.
#pragma once

#include "runtime/arena.h"
#include "sluice/sluice.h"

namespace sluice {

ArenaStatistics arena_statistics(const sluice_context *context);

}  // namespace sluice
