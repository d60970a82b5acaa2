#include "runtime/study.h"

#include <vector>

#include "runtime/kernel_rows.h"
#include "runtime/kernel_table.h"

#define SLUICE_KERNEL SLUICE_DECLARE_KERNEL
#include "sluice/kernels_study.inc"
#undef SLUICE_KERNEL

namespace sluice {

void register_study_kernels() {
  [[maybe_unused]] static const bool registered = [] {
    const std::vector<KernelRow> rows = {
#define SLUICE_KERNEL SLUICE_KERNEL_ROW
#include "sluice/kernels_study.inc"
#undef SLUICE_KERNEL
    };
    register_kernels(rows.data(), rows.size());
    return true;
  }();
}

}  // namespace sluice
