#include "bench/setting.h"

#include <charconv>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "runtime/kernel_table.h"

namespace sluice::bench {
namespace {

using test::Gate;

template <typename Value>
using Names = std::vector<std::pair<const char *, Value>>;

const Names<Gate> gates = {{"ordinary", Gate::ordinary},
                           {"one", Gate::one},
                           {"zero", Gate::zero},
                           {"tiny", Gate::tiny},
                           {"small", Gate::small},
                           {"wide", Gate::wide},
                           {"zero_or_one", Gate::zero_or_one}};
const Names<sluice_rule> rules = {{"gdn", SLUICE_GDN}, {"kda", SLUICE_KDA}, {"gdn2", SLUICE_GDN2}};
const Names<bool> placements = {{"in_place", true}, {"apart", false}};
const Names<bool> layouts = {{"bthd", true}, {"bhtd", false}};

template <typename Value>
Value named(const Names<Value> &names, const std::string &key, const std::string &text) {
  std::string expected;
  for (const auto &[name, value] : names) {
    if (text == name) return value;
    expected += (expected.empty() ? "" : ", ") + std::string(name);
  }
  throw std::invalid_argument(key + ": expected one of " + expected + ", is " + text);
}

template <typename Value>
const char *name_of(const Names<Value> &names, Value value) {
  for (const auto &[name, candidate] : names) {
    if (candidate == value) return name;
  }
  return "?";
}

std::int64_t positive(const std::string &key, const std::string &text) {
  std::int64_t number = 0;
  const char *const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc() || stop != end || number < 1) {
    throw std::invalid_argument(key + ": expected a whole number from 1 on, is " + text);
  }
  return number;
}

void set(Setting &s, const std::string &key, const std::string &text) {
  test::Case &problem = s.workload.problem;
  test::Shape &shape = problem.shape;
  const std::map<std::string, std::function<void()>> keys = {
      {"rule", [&] { problem.rule = named(rules, key, text); }},
      {"gate", [&] { problem.gate = named(gates, key, text); }},
      {"state", [&] { s.workload.in_place = named(placements, key, text); }},
      {"layout", [&] { s.workload.token_major = named(layouts, key, text); }},
      {"T", [&] { shape.T = positive(key, text); }},
      {"B", [&] { shape.B = positive(key, text); }},
      {"heads", [&] { shape.Hq = shape.Hk = shape.Hs = positive(key, text); }},
      {"key_heads", [&] { shape.Hq = shape.Hk = positive(key, text); }},
      {"K", [&] { shape.K = positive(key, text); }},
      {"V", [&] { shape.V = positive(key, text); }},
      {"D", [&] { shape.K = shape.V = positive(key, text); }},
      {"align", [&] { s.workload.alignment = positive(key, text); }},
      {"call", [&] { s.workload.call_tokens = positive(key, text); }},
      {"workers", [&] { s.workers = static_cast<int>(positive(key, text)); }},
      {"isa", [&] { s.isa = text; }},
      {"schedule", [&] { s.schedule = text; }},
  };
  const auto found = keys.find(key);
  if (found == keys.end()) {
    std::string expected;
    for (const auto &[name, action] : keys) expected += (expected.empty() ? "" : ", ") + name;
    throw std::invalid_argument(key + ": no such key; expected one of " + expected);
  }
  found->second();
}

void set_what(Setting &s, const std::string &what) {
  s.what = what;
  for (const KernelRow &row : kernel_table()) {
    if (what != row.name) continue;
    s.workload.problem.rule = named(rules, "rule", rule_name(row.rule));
    if (row.head_dim != 0) s.workload.problem.shape.K = s.workload.problem.shape.V = row.head_dim;
  }
}

}  // namespace

void apply(const std::string &text, Setting &setting) {
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) {
      set_what(setting, part);
    } else {
      set(setting, part.substr(0, equals), part.substr(equals + 1));
    }
  }
}

std::string describe(const Setting &s) {
  const test::Case &problem = s.workload.problem;
  const test::Shape &shape = problem.shape;
  std::ostringstream text;
  text << s.what << ",rule=" << name_of(rules, problem.rule) << ",T=" << shape.T << ",heads=" << shape.Hs;
  if (shape.Hk != shape.Hs) text << ",key_heads=" << shape.Hk;
  if (shape.B != 1) text << ",B=" << shape.B;
  if (shape.K == shape.V) {
    text << ",D=" << shape.K;
  } else {
    text << ",K=" << shape.K << ",V=" << shape.V;
  }
  const WorkloadOptions plain;
  if (problem.gate != Gate::ordinary) text << ",gate=" << name_of(gates, problem.gate);
  if (s.workload.in_place != plain.in_place) text << ",state=" << name_of(placements, s.workload.in_place);
  if (s.workload.token_major != plain.token_major) text << ",layout=" << name_of(layouts, s.workload.token_major);
  if (s.workload.alignment != plain.alignment) text << ",align=" << s.workload.alignment;
  if (s.workload.call_tokens != 0) text << ",call=" << s.workload.call_tokens;
  if (s.workers != 1) text << ",workers=" << s.workers;
  if (!s.isa.empty()) text << ",isa=" << s.isa;
  if (!s.schedule.empty()) text << ",schedule=" << s.schedule;
  return text.str();
}

}  // namespace sluice::bench
