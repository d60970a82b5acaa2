#include "runtime/diagnostics.h"

#include "runtime/context.h"

namespace sluice {

ArenaStatistics arena_statistics(const sluice_context *context) { return context->arena.statistics(); }

}  // namespace sluice
