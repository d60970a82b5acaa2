#include "program/capture.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace sluice {
namespace {

using Shape = std::vector<std::int64_t>;

std::string shape_text(const Shape &shape) {
  std::string text = "[";
  for (const std::int64_t extent : shape) text += (text.size() > 1 ? "," : "") + std::to_string(extent);
  return text + "]";
}

// Metadata values are strings; each reader says what it expected instead.
class MetadataReader {
 public:
  MetadataReader(const std::string &file, const std::map<std::string, std::string> &metadata)
      : file_(file), metadata_(metadata) {}

  bool has(const std::string &key) const { return metadata_.count(key) > 0; }

  const std::string &text(const std::string &key) const {
    const auto found = metadata_.find(key);
    if (found == metadata_.end()) throw FileError(file_, "metadata \"" + key + "\" is missing");
    return found->second;
  }

  std::size_t one_of(const std::string &key, std::initializer_list<const char *> choices) const {
    const auto found = std::find(choices.begin(), choices.end(), text(key));
    if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
    std::string known;
    for (const char *choice : choices) known += (known.empty() ? "" : ", ") + std::string(choice);
    fail(key, "one of " + known);
  }

  bool truth(const std::string &key) const { return one_of(key, {"false", "true"}) == 1; }

  std::int64_t extent(const std::string &key) const {
    const std::int64_t value = number<std::int64_t>(key, "a whole number >= 1");
    if (value < 1) fail(key, "a whole number >= 1");
    return value;
  }

  float real(const std::string &key) const {
    const double value = number<double>(key, "a number");
    if (!(std::abs(value) <= std::numeric_limits<float>::max())) fail(key, "a finite number");
    return static_cast<float>(value);
  }

  [[noreturn]] void fail(const std::string &key, const std::string &expected) const {
    throw FileError(file_, "metadata \"" + key + "\" should be " + expected + ", is \"" + text(key) + "\"");
  }

 private:
  template <typename T>
  T number(const std::string &key, const char *expected) const {
    const std::string &digits = text(key);
    T value{};
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (problem != std::errc() || end != digits.data() + digits.size()) fail(key, expected);
    return value;
  }

  const std::string &file_;
  const std::map<std::string, std::string> &metadata_;
};

// Moves tensors out of the file, each once, with the shape that the metadata implies.
class TensorTaker {
 public:
  TensorTaker(const std::string &file, std::map<std::string, StoredTensor> &tensors) : file_(file), tensors_(tensors) {}

  bool has(const std::string &name) const { return tensors_.count(name) > 0; }
  AlignedVector<float> floats(const std::string &name, const Shape &shape) { return take<float>(name, shape, "F32"); }
  AlignedVector<double> doubles(const std::string &name, const Shape &shape) {
    return take<double>(name, shape, "F64");
  }

  void check_all_taken() const {
    if (tensors_.empty()) return;
    throw FileError(file_,
                    "tensor \"" + tensors_.begin()->first + "\" is not part of a capture of this rule and phase");
  }

 private:
  template <typename T>
  AlignedVector<T> take(const std::string &name, const Shape &shape, const char *type) {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) throw FileError(file_, "tensor \"" + name + "\" is missing");
    if (found->second.shape != shape) {
      throw FileError(file_, "tensor \"" + name + "\" has shape " + shape_text(found->second.shape) +
                                 ", by the metadata it should be " + shape_text(shape));
    }
    auto *values = std::get_if<AlignedVector<T>>(&found->second.values);
    if (values == nullptr) throw FileError(file_, "tensor \"" + name + "\" is not of type " + type);
    AlignedVector<T> taken = std::move(*values);
    tensors_.erase(found);
    return taken;
  }

  const std::string &file_;
  std::map<std::string, StoredTensor> &tensors_;
};

Capture read_metadata(const MetadataReader &metadata, const std::string &name) {
  Capture c;
  c.file = name;
  c.rule = static_cast<sluice_rule>(metadata.one_of("rule", {"gdn", "kda", "gdn2"}));
  c.phase = static_cast<Phase>(metadata.one_of("phase", {"prefill", "decode"}));
  c.gate_kind = metadata.one_of("gate_domain", {"log", "decay"}) == 0 ? SLUICE_GATE_LOG_DECAY : SLUICE_GATE_DECAY;
  if (c.phase == Phase::decode) c.S = metadata.extent("steps");
  c.B = metadata.extent("B");
  c.T = metadata.extent("T");
  c.Hk = metadata.extent("Hk");
  c.Hq = metadata.has("Hq") ? metadata.extent("Hq") : c.Hk;
  c.Hv = metadata.extent("Hv");
  c.K = metadata.extent("K");
  c.V = metadata.extent("V");
  c.scale = metadata.real("scale");
  c.l2norm = metadata.truth("l2norm");
  if (c.l2norm) c.l2norm_eps = metadata.real("l2norm_eps");

  if (c.phase == Phase::decode && c.T != 1) metadata.fail("T", "1 in a decode file");
  if (c.Hv % c.Hk != 0) metadata.fail("Hk", "a divisor of Hv = " + std::to_string(c.Hv));
  if (c.Hv % c.Hq != 0 && c.Hq % c.Hv != 0) {
    metadata.fail("Hq", "a divisor or a multiple of Hv = " + std::to_string(c.Hv));
  }
  if (c.l2norm_eps < 0) metadata.fail("l2norm_eps", ">= 0");
  // The two below repeat what the rule says.
  const std::string gate = c.rule == SLUICE_GDN ? "scalar" : "channel";
  if (metadata.has("gate_kind") && metadata.text("gate_kind") != gate) {
    metadata.fail("gate_kind", gate + " for rule " + rule_name(c.rule));
  }
  if (metadata.has("gdn2") && metadata.truth("gdn2") != (c.rule == SLUICE_GDN2)) {
    metadata.fail("gdn2", std::string("true for rule gdn2 only; rule is ") + rule_name(c.rule));
  }
  return c;
}

}  // namespace

Capture make_capture(Safetensors contents, const std::string &name) {
  const MetadataReader metadata(name, contents.metadata);
  Capture c = read_metadata(metadata, name);

  const auto per_token = [&](std::initializer_list<std::int64_t> rest) {
    Shape shape = c.phase == Phase::decode ? Shape{c.S, c.B, c.T} : Shape{c.B, c.T};
    shape.insert(shape.end(), rest);
    return shape;
  };
  TensorTaker tensors(name, contents.tensors);
  c.query = tensors.floats("query", per_token({c.Hq, c.K}));
  c.key = tensors.floats("key", per_token({c.Hk, c.K}));
  c.value = tensors.floats("value", per_token({c.Hv, c.V}));
  c.gate = tensors.floats("gate", c.rule == SLUICE_GDN ? per_token({c.Hv}) : per_token({c.Hv, c.K}));
  if (c.rule == SLUICE_GDN2) {
    c.erase = tensors.floats("erase", per_token({c.Hv, c.K}));
    c.write = tensors.floats("write", per_token({c.Hv, c.V}));
  } else {
    c.beta = tensors.floats("beta", per_token({c.Hv}));
  }
  const Shape state{c.B, c.Hv, c.K, c.V};
  const bool has_initial_state = tensors.has("initial_state");
  if (metadata.has("has_initial_state") && metadata.truth("has_initial_state") != has_initial_state) {
    metadata.fail("has_initial_state", has_initial_state ? "true: there is a tensor \"initial_state\""
                                                         : "false: there is no tensor \"initial_state\"");
  }
  if (has_initial_state) c.initial_state = tensors.floats("initial_state", state);
  c.expected_output = tensors.doubles("expected_output", per_token({c.output_heads(), c.V}));
  c.expected_final_state = tensors.doubles("expected_final_state", state);
  if (c.phase == Phase::decode) {
    c.expected_step_states = tensors.doubles("expected_step_states", {c.S, c.B, c.Hv, c.K, c.V});
  }
  tensors.check_all_taken();
  return c;
}

Capture read_capture(const std::string &path) { return make_capture(read_safetensors(path), path); }

const char *rule_name(sluice_rule rule) { return rule == SLUICE_GDN ? "gdn" : rule == SLUICE_KDA ? "kda" : "gdn2"; }

const char *phase_name(Phase phase) { return phase == Phase::prefill ? "prefill" : "decode"; }

}  // namespace sluice
