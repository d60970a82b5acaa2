#include "runtime/validate.h"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <tuple>
#include <utility>

#include "runtime/overlap.h"
#include "runtime/struct_check.h"
#include "runtime/tensor_check.h"

namespace sluice {

namespace {

constexpr std::int64_t kLargestHeadDim = std::int64_t{1} << 20;
constexpr int kMostArguments = 10;

class Validator {
 public:
  Validator(const sluice_gated_delta_rule_args &args, Message &message) : args_(args), message_(message) {}

  sluice_status run(Problem *problem) {
    for (const auto check : {&Validator::numbers, &Validator::presence, &Validator::forms, &Validator::sizes,
                             &Validator::heads, &Validator::shapes, &Validator::memory, &Validator::aliasing}) {
      if (const sluice_status status = (this->*check)(); status != SLUICE_OK) return status;
    }
    fill(problem);
    return SLUICE_OK;
  }

 private:
  const sluice_gated_delta_rule_args &args_;
  Message &message_;
  // What the axes of an argument must measure.
  using Sizes = std::array<const std::int64_t *, 4>;
  Argument arguments_[kMostArguments];
  Sizes sizes_[kMostArguments];
  int count_ = 0;
  std::int64_t batches_ = 0, query_heads_ = 0, key_heads_ = 0, state_heads_ = 0, tokens_ = 0, key_dim_ = 0,
               value_dim_ = 0, output_heads_ = 0;

  sluice_status numbers() {
    if (args_.rule < SLUICE_GDN || args_.rule > SLUICE_GDN2) {
      return message_.invalid("rule: %d; expected 0 (SLUICE_GDN), 1 (SLUICE_KDA) or 2 (SLUICE_GDN2)", args_.rule);
    }
    if (args_.gate_kind != SLUICE_GATE_DECAY && args_.gate_kind != SLUICE_GATE_LOG_DECAY) {
      return message_.invalid("gate_kind: %d; expected 0 (SLUICE_GATE_DECAY) or 1 (SLUICE_GATE_LOG_DECAY)",
                              args_.gate_kind);
    }
    if (args_.head_map != SLUICE_HEAD_MAP_DIVIDE && args_.head_map != SLUICE_HEAD_MAP_MODULO) {
      return message_.invalid("head_map: %d; expected 0 (SLUICE_HEAD_MAP_DIVIDE) or 1 (SLUICE_HEAD_MAP_MODULO)",
                              args_.head_map);
    }
    if (args_.state_layout == SLUICE_STATE_VK) {
      return message_.fail(SLUICE_UNSUPPORTED,
                           "state_layout: 1 (SLUICE_STATE_VK) is not supported yet; expected 0 (SLUICE_STATE_KV)");
    }
    if (args_.state_layout != SLUICE_STATE_KV) {
      return message_.invalid("state_layout: %d; expected 0 (SLUICE_STATE_KV)", args_.state_layout);
    }
    if (args_.l2norm != 0 && args_.l2norm != 1) return message_.invalid("l2norm: %d; expected 0 or 1", args_.l2norm);
    if (!std::isfinite(args_.l2norm_eps) || args_.l2norm_eps < 0) {
      return message_.invalid("l2norm_eps: %g; expected a finite number >= 0", static_cast<double>(args_.l2norm_eps));
    }
    if (!std::isfinite(args_.scale)) {
      return message_.invalid("scale: %g; expected a finite number", static_cast<double>(args_.scale));
    }
    return SLUICE_OK;
  }

  sluice_status presence() {
    const bool gdn2 = args_.rule == SLUICE_GDN2;
    const Sizes by_channel = {&batches_, &state_heads_, &tokens_, &key_dim_};
    const Sizes by_column = {&batches_, &state_heads_, &tokens_, &value_dim_};
    const Sizes state = {&batches_, &state_heads_, &key_dim_, &value_dim_};
    add("query", "[B, Hq, T, K]", args_.query, {&batches_, &query_heads_, &tokens_, &key_dim_});
    add("key", "[B, Hk, T, K]", args_.key, {&batches_, &key_heads_, &tokens_, &key_dim_});
    add("value", "[B, Hs, T, V]", args_.value, by_column);
    if (args_.rule == SLUICE_GDN) {
      add("gate", "[B, Hs, T]", args_.gate, by_channel, 3);
    } else {
      add("gate", "[B, Hs, T, K]", args_.gate, by_channel);
    }
    if (gdn2) {
      if (args_.beta.data != nullptr)
        return message_.invalid("beta: given; expected none, as gdn2 takes erase and write");
      add("erase", "[B, Hs, T, K]", args_.erase, by_channel);
      add("write", "[B, Hs, T, V]", args_.write, by_column);
    } else {
      for (const auto &[name, tensor] : {std::pair("erase", &args_.erase), std::pair("write", &args_.write)}) {
        if (tensor->data != nullptr) return message_.invalid("%s: given; expected none, as only gdn2 takes it", name);
      }
      add("beta", "[B, Hs, T]", args_.beta, by_channel, 3);
    }
    if (args_.initial_state.data != nullptr) add("initial_state", "[B, Hs, K, V]", args_.initial_state, state);
    add("output", "[B, Ho, T, V]", args_.output, {&batches_, &output_heads_, &tokens_, &value_dim_}, 4, true);
    if (args_.final_state.data != nullptr) add("final_state", "[B, Hs, K, V]", args_.final_state, state, 4, true);
    return SLUICE_OK;
  }

  void add(const char *name, const char *axes, const sluice_tensor &tensor, const Sizes &sizes, int rank = 4,
           bool written = false) {
    sizes_[count_] = sizes;
    arguments_[count_++] = {name, axes, &tensor, rank, written};
  }

  sluice_status forms() {
    for (int n = 0; n < count_; n++) {
      if (const sluice_status status = check_form(arguments_[n], message_); status != SLUICE_OK) return status;
    }
    return SLUICE_OK;
  }

  sluice_status sizes() {
    batches_ = args_.query.shape[0], query_heads_ = args_.query.shape[1], tokens_ = args_.query.shape[2];
    key_dim_ = args_.query.shape[3];
    key_heads_ = args_.key.shape[1];
    state_heads_ = args_.value.shape[1], value_dim_ = args_.value.shape[3];
    for (const auto &[name, letter, tensor] :
         {std::tuple("query", 'K', &args_.query), std::tuple("value", 'V', &args_.value)}) {
      const std::int64_t extent = tensor->shape[3];
      if (extent < 1)
        return message_.invalid("%s: shape %s has %c = 0; expected at least 1", name, ShapeText(*tensor).text, letter);
      if (extent > kLargestHeadDim) {
        return message_.fail(SLUICE_UNSUPPORTED, "%s: shape %s has %c = %" PRId64 "; expected at most %" PRId64, name,
                             ShapeText(*tensor).text, letter, extent, kLargestHeadDim);
      }
    }
    return SLUICE_OK;
  }

  sluice_status heads() {
    const std::int64_t q = query_heads_, k = key_heads_, s = state_heads_;
    if (s > 0 && (k == 0 || s % k != 0)) {
      return message_.invalid("key: shape %s has %" PRId64 " heads; expected a divisor of value's %" PRId64 " heads",
                              ShapeText(args_.key).text, k, s);
    }
    if (s == 0 ? q != 0 : (q == 0 || (s % q != 0 && q % s != 0))) {
      return message_.invalid("query: shape %s has %" PRId64
                              " heads; expected a divisor or a multiple of value's %" PRId64 " heads",
                              ShapeText(args_.query).text, q, s);
    }
    return SLUICE_OK;
  }

  // Every shape against the sizes that query, key and value gave.
  sluice_status shapes() {
    output_heads_ = std::max(query_heads_, state_heads_);
    for (int n = 0; n < count_; n++) {
      const Argument &argument = arguments_[n];
      const sluice_tensor &tensor = *argument.tensor;
      for (int axis = 0; axis < argument.rank; axis++) {
        const std::int64_t *const expected = sizes_[n][static_cast<std::size_t>(axis)];
        if (tensor.shape[axis] == *expected) continue;
        return message_.invalid("%s: shape %s has %" PRId64 " on axis %d of %s; expected %" PRId64 ", as %s has",
                                argument.name, ShapeText(tensor).text, tensor.shape[axis], axis, argument.axes,
                                *expected, size_source(expected));
      }
    }
    return SLUICE_OK;
  }

  const char *size_source(const std::int64_t *size) const {
    if (size == &output_heads_) return "the larger of query and value";
    return size == &state_heads_ || size == &value_dim_ ? "value" : "query";
  }

  sluice_status memory() {
    for (int n = 0; n < count_; n++) {
      if (const sluice_status status = check_memory(arguments_[n], message_); status != SLUICE_OK) return status;
    }
    return SLUICE_OK;
  }

  sluice_status aliasing() {
    for (int w = 0; w < count_; w++) {
      if (!arguments_[w].written) continue;
      for (int n = 0; n < count_; n++) {
        if (n == w || (arguments_[n].written && n < w)) continue;
        const sluice_tensor &written = *arguments_[w].tensor, &other = *arguments_[n].tensor;
        if (!may_overlap(written, other)) continue;
        const bool states = &written == &args_.final_state && &other == &args_.initial_state;
        if (states && same_view(written, other)) continue;
        return message_.invalid(
            states ? "%s: overlaps %s at another address or with other strides; expected exactly its memory "
                     "(in place) or none of it"
                   : "%s: overlaps %s; expected memory of its own",
            arguments_[w].name, arguments_[n].name);
      }
    }
    return SLUICE_OK;
  }

  static bool same_view(const sluice_tensor &a, const sluice_tensor &b) {
    for (int n = 0; n < a.rank; n++) {
      if (a.shape[n] > 1 && a.stride[n] != b.stride[n]) return false;
    }
    return a.data == b.data;
  }

  void fill(Problem *problem) const {
    Problem &p = *problem;
    p.rule = static_cast<Rule>(args_.rule);
    p.batches = batches_, p.tokens = tokens_, p.key_dim = key_dim_, p.value_dim = value_dim_;
    p.query_heads = query_heads_, p.key_heads = key_heads_, p.state_heads = state_heads_;
    p.gate_is_log = args_.gate_kind == SLUICE_GATE_LOG_DECAY;
    p.l2norm = args_.l2norm != 0, p.l2norm_eps = args_.l2norm_eps, p.scale = args_.scale;
    p.query = make_view(args_.query), p.key = make_view(args_.key), p.value = make_view(args_.value);
    p.gate = make_view(args_.gate), p.output = make_view(args_.output);
    if (p.rule == Rule::gdn2) {
      p.erase = make_view(args_.erase), p.write = make_view(args_.write);
    } else {
      p.beta = make_view(args_.beta);
    }
    if (args_.initial_state.data != nullptr) p.initial_state = make_view(args_.initial_state);
    if (args_.final_state.data != nullptr) p.final_state = make_view(args_.final_state);
    p.in_place = p.final_state.data != nullptr && p.final_state.data == p.initial_state.data;
    if (state_heads_ == 0) return;

    const bool modulo = args_.head_map == SLUICE_HEAD_MAP_MODULO;
    const std::int64_t hs = state_heads_, hq = query_heads_;
    p.key_head = {modulo ? 1 : hs / key_heads_, key_heads_};
    p.query_head_stride = p.query.stride[1], p.output_head_stride = p.output.stride[1];
    if (hq <= hs) {
      p.query_head = {modulo ? 1 : hs / hq, hq};
      return;
    }
    // g query heads per state: neighbours (divide), or Hs apart (modulo).
    p.query_group = hq / hs;
    p.query_head = {1, hs};
    const std::int64_t head_step = modulo ? 1 : p.query_group, group_step = modulo ? hs : 1;
    p.query_group_stride = group_step * p.query.stride[1], p.output_group_stride = group_step * p.output.stride[1];
    p.query_head_stride = head_step * p.query.stride[1], p.output_head_stride = head_step * p.output.stride[1];
  }
};

}  // namespace

sluice_status validate(const sluice_gated_delta_rule_args *args, Problem *problem, Message &message) {
  if (args == nullptr) return message.invalid("args: NULL; expected the call's arguments");
  if (const sluice_status status = check_struct("args", args, message); status != SLUICE_OK) return status;
  return Validator(*args, message).run(problem);
}

}  // namespace sluice
