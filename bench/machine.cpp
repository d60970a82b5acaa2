#include "bench/machine.h"

#include <unistd.h>

#include <fstream>
#include <string>

#include "bench/affinity.h"
#include "bench/roofs.h"
#include "runtime/cpu.h"

namespace sluice::bench {
namespace {

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

}  // namespace

nlohmann::ordered_json machine_json() {
  nlohmann::ordered_json peaks = nlohmann::ordered_json::object();
  for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512, Isa::neon}) {
    if (host_isa_support().has(isa)) peaks[isa_name(isa)] = arithmetic_peak(isa) * 1e-9;
  }
  return {{"cpu", cpu_name()},
          {"usable_cpus", usable_cpus().size()},
          {"l1d_bytes", sysconf(_SC_LEVEL1_DCACHE_SIZE)},
          {"l2_bytes", sysconf(_SC_LEVEL2_CACHE_SIZE)},
          {"l3_bytes", sysconf(_SC_LEVEL3_CACHE_SIZE)},
          {"peak_gflops", peaks}};
}

}  // namespace sluice::bench
