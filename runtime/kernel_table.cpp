#include "runtime/kernel_table.h"

#include "runtime/kernel_rows.h"

#define SLUICE_KERNEL SLUICE_DECLARE_KERNEL
#include "sluice/kernels_ship.inc"
#undef SLUICE_KERNEL

namespace sluice {

namespace {

std::vector<KernelRow> &rows() {
  static std::vector<KernelRow> table = {
#define SLUICE_KERNEL SLUICE_KERNEL_ROW
#include "sluice/kernels_ship.inc"
#undef SLUICE_KERNEL
  };
  return table;
}

}  // namespace

const std::vector<KernelRow> &kernel_table() { return rows(); }

void register_kernels(const KernelRow *added, std::size_t count) { rows().insert(rows().end(), added, added + count); }

const char *op_name(Op op) { return op == Op::step ? "step" : "chunk"; }

const char *rule_name(Rule rule) {
  constexpr const char *names[] = {"gdn", "kda", "gdn2"};
  return names[static_cast<int>(rule)];
}

const char *dtype_name(Dtype) { return "f32"; }

const char *set_name(KernelSet set) { return set == KernelSet::ship ? "ship" : "study"; }

const char *parallel_name(Parallel parallel) { return parallel == Parallel::runtime ? "runtime" : "kernel"; }

}  // namespace sluice
