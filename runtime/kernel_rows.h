// How a line of the generated kernels_<set>.inc becomes a declaration and a row of the table.
#pragma once

#include "runtime/kernel.h"

#define SLUICE_DECLARE_KERNEL(name, ...) extern "C" int name##_argv(void **arguments);

#define SLUICE_KERNEL_ROW(name, op, rule, dtype, head_dim, schedule, isa, set, parallel, chunk_length, min_chunk_rows) \
  KernelRow{#name,    Op::op,         Rule::rule,         Dtype::dtype, head_dim,       #schedule,                     \
            Isa::isa, KernelSet::set, Parallel::parallel, chunk_length, min_chunk_rows, &name##_argv},
