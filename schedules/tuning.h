// Numbers given on the generator's command line to override what a schedule would choose: "rows:4,vectors:2".
#pragma once

#include <map>
#include <set>
#include <string>

namespace sluice::schedules {

class Tuning {
 public:
  explicit Tuning(const std::string &text);

  // The number given for `name`, else `otherwise`.
  int get(const std::string &name, int otherwise) const;

  // A name that no schedule asked for is an error that lists those it did ask for.
  void expect_all_used() const;

 private:
  std::map<std::string, int> given_;
  mutable std::set<std::string> asked_;
};

}  // namespace sluice::schedules
