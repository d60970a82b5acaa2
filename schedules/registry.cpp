#include "schedules/registry.h"

#include <map>

namespace sluice::schedules {

namespace {

template <typename Algorithm>
std::map<std::string, Schedule<Algorithm>> &known() {
  static std::map<std::string, Schedule<Algorithm>> schedules;
  return schedules;
}

}  // namespace

template <typename Algorithm>
Register<Algorithm>::Register(const std::string &name, const Schedule<Algorithm> &schedule) {
  known<Algorithm>()[name] = schedule;
}

template <typename Algorithm>
const Schedule<Algorithm> &find(const std::string &name) {
  const auto found = known<Algorithm>().find(name);
  std::string names;
  for (const auto &[candidate, schedule] : known<Algorithm>()) names += " " + candidate;
  _halide_user_assert(found != known<Algorithm>().end()) << "no schedule '" << name << "'; there are:" << names << "\n";
  return found->second;
}

template struct Register<Step>;
template struct Register<Chunk>;
template const Schedule<Step> &find<Step>(const std::string &);
template const Schedule<Chunk> &find<Chunk>(const std::string &);

}  // namespace sluice::schedules
