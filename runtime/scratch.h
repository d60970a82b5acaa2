// How much scratch a kernel call may ask for.
#pragma once

#include <cstdint>

#include "runtime/kernel.h"
#include "runtime/problem.h"

namespace sluice {

// An upper bound in bytes of what one call of the kernel on one state head allocates at any time. INT64_MAX if the
// bound overflows. Kernels do not check their allocations, so this must hold; tests compare it with what was used.
std::int64_t kernel_scratch_bytes(const KernelRow &row, const Problem &problem);

// Arithmetic on sizes that stays at INT64_MAX once it overflows. Operands are >= 0.
std::int64_t saturating_add(std::int64_t a, std::int64_t b);
std::int64_t saturating_multiply(std::int64_t a, std::int64_t b);

}  // namespace sluice
