#include "schedules/tuning.h"

#include <sstream>

#include "Halide.h"

namespace sluice::schedules {

Tuning::Tuning(const std::string &text) {
  std::istringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');) {
    const size_t colon = item.find(':');
    const std::string digits = colon == std::string::npos ? "" : item.substr(colon + 1);
    _halide_user_assert(!digits.empty() && digits.size() < 7 &&
                        digits.find_first_not_of("0123456789") == std::string::npos)
        << "tuning: expected name:number, less than a million, got '" << item << "'\n";
    given_[item.substr(0, colon)] = std::stoi(digits);
  }
}

int Tuning::get(const std::string &name, int otherwise) const {
  asked_.insert(name);
  const auto found = given_.find(name);
  return found == given_.end() ? otherwise : found->second;
}

void Tuning::expect_all_used() const {
  for (const auto &[name, number] : given_) {
    std::string known;
    for (const std::string &asked : asked_) known += " " + asked;
    _halide_user_assert(asked_.count(name))
        << "tuning: this schedule has no '" << name << "'; it has:" << known << "\n";
  }
}

}  // namespace sluice::schedules
