#include "bench/affinity.h"

#include <sched.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace sluice::bench {
namespace {

cpu_set_t initial_set() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) {
    throw std::runtime_error(std::string("sched_getaffinity: ") + std::strerror(errno));
  }
  return set;
}

const cpu_set_t &allowed() {
  static const cpu_set_t set = initial_set();
  return set;
}

void apply(const cpu_set_t &set) {
  if (sched_setaffinity(0, sizeof set, &set) != 0) {
    throw std::runtime_error(std::string("sched_setaffinity: ") + std::strerror(errno));
  }
}

}  // namespace

const std::vector<int> &usable_cpus() {
  static const std::vector<int> cpus = [] {
    std::vector<int> list;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &allowed())) list.push_back(cpu);
    }
    return list;
  }();
  return cpus;
}

void pin_to(int cpu) {
  if (cpu < 0 || cpu >= CPU_SETSIZE || !CPU_ISSET(cpu, &allowed())) {
    throw std::invalid_argument("cpu: expected one this process may use, is " + std::to_string(cpu));
  }
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  apply(one);
}

void unpin() { apply(allowed()); }

}  // namespace sluice::bench
