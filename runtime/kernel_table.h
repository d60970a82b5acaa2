// The table of compiled kernels that this process has.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/kernel.h"

namespace sluice {

// Ship rows, then registered rows, each in priority order.
const std::vector<KernelRow> &kernel_table();

// Appends rows. Not safe while another thread uses the table: call it before the first context is made.
void register_kernels(const KernelRow *rows, std::size_t count);

const char *op_name(Op op);
const char *rule_name(Rule rule);
const char *dtype_name(Dtype dtype);
const char *set_name(KernelSet set);
const char *parallel_name(Parallel parallel);

}  // namespace sluice
