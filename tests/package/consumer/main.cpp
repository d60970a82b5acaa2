// C++: sees the version, the kernels, and the same numbers as C.
#include <sluice/sluice.h>

#include <cstring>
#include <iostream>
#include <string>

#include "decode.h"

int main() {
  const std::string header = std::to_string(SLUICE_VERSION_MAJOR) + "." + std::to_string(SLUICE_VERSION_MINOR) + "." +
                             std::to_string(SLUICE_VERSION_PATCH);
  if (header != sluice_version()) {
    std::cerr << "header " << header << ", library " << sluice_version() << "\n";
    return 1;
  }
  int runnable = 0;
  for (size_t i = 0; i < sluice_kernel_count(); i++) {
    sluice_kernel_info info{};
    info.struct_size = sizeof info;
    if (sluice_kernel_at(i, &info) != SLUICE_OK || std::strncmp(info.name, "sluice_", 7) != 0) return 1;
    runnable += info.runnable;
  }
  if (runnable == 0) {
    std::cerr << "no kernel runs here\n";
    return 1;
  }
  return decode();
}
