#include "program/emulated.h"

#if defined(__x86_64__)
#include <cpuid.h>

#include <cstring>
#else
#include <fstream>
#include <iterator>
#include <string>
#endif

namespace sluice {

#if defined(__x86_64__)

// QEMU's translator names itself where a hypervisor would.
bool emulated() {
  unsigned highest = 0, name[3] = {};
  __cpuid(0x40000000, highest, name[0], name[1], name[2]);
  return std::memcmp(name, "TCGTCGTCGTCG", sizeof name) == 0;
}

#else

// Under qemu-user the kernel below is another architecture's, and says so where QEMU does not imitate it: in
// /proc/sys/kernel/arch since Linux 6.1; an older one shows its own processor's lines in /proc/cpuinfo.
bool emulated() {
  std::string architecture;
  if (std::ifstream("/proc/sys/kernel/arch") >> architecture) return architecture != "aarch64";
  std::ifstream file("/proc/cpuinfo");
  const std::string lines{std::istreambuf_iterator<char>(file), {}};
  return !lines.empty() && lines.find("CPU implementer") == std::string::npos;
}

#endif

}  // namespace sluice
