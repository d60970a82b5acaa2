// Which kernels run a call.
#pragma once

#include <cstdint>

#include "runtime/cpu.h"
#include "runtime/kernel.h"
#include "runtime/message.h"
#include "runtime/problem.h"
#include "sluice/sluice.h"

namespace sluice {

// What the CPU runs, and a context's wishes, resolved against the table.
struct Preferences {
  IsaSupport cpu = host_isa_support();
  bool limit_isa = false;
  Isa highest = Isa::base;            // with limit_isa: no row above it
  const char *limited_by = nullptr;   // the option or variable that says so
  const char *schedule = nullptr;     // rows of this schedule first, for the op that has it
  const KernelRow *forced = nullptr;  // this row runs the whole call
  const char *forced_by = nullptr;    // the option or variable that says so
};

// From the options, and where those say nothing from the environment.
sluice_status resolve_preferences(const sluice_context_options &options, Preferences *preferences, Message &message);

// The rows for a problem, and how tokens are divided among them.
struct KernelChoice {
  const KernelRow *chunk = nullptr, *step = nullptr;  // not both nullptr
  std::int64_t chunk_length = 1;                      // C
  std::int64_t min_chunk_rows = 1;                    // r0: a shorter ragged end goes by steps
};

sluice_status choose_kernels(const Problem &problem, const Preferences &preferences, KernelChoice *choice,
                             Message &message);

}  // namespace sluice
