#include "program/plain_loop.h"

#include <cmath>
#include <cstdint>
#include <vector>

namespace sluice {
namespace {

const float *row(const sluice_tensor &tensor, std::int64_t b, std::int64_t h, std::int64_t t) {
  return static_cast<const float *>(tensor.data) + b * tensor.stride[0] + h * tensor.stride[1] + t * tensor.stride[2];
}

float *mutable_row(const sluice_tensor &tensor, std::int64_t b, std::int64_t h, std::int64_t t) {
  return static_cast<float *>(tensor.data) + b * tensor.stride[0] + h * tensor.stride[1] + t * tensor.stride[2];
}

// Which of `heads` serves state head s of `state_heads`.
std::int64_t serving_head(const sluice_gated_delta_rule_args &args, std::int64_t s, std::int64_t state_heads,
                          std::int64_t heads) {
  return args.head_map == SLUICE_HEAD_MAP_MODULO ? s % heads : s / (state_heads / heads);
}

void load(const sluice_gated_delta_rule_args &args, const float *from, std::vector<float> &to) {
  float factor = 1;
  if (args.l2norm != 0) {
    float sum = 0;
    for (std::size_t c = 0; c < to.size(); ++c) sum += from[c] * from[c];
    factor = 1 / std::sqrt(sum + args.l2norm_eps);
  }
  for (std::size_t c = 0; c < to.size(); ++c) to[c] = from[c] * factor;
}

// One token of one state head: everything of the recurrence but the read.
class StateHead {
 public:
  StateHead(const sluice_gated_delta_rule_args &args, std::int64_t b, std::int64_t s)
      : args_(args),
        b_(b),
        s_(s),
        key_head_(serving_head(args, s, args.value.shape[1], args.key.shape[1])),
        K_(args.key.shape[3]),
        V_(args.value.shape[3]),
        key_(static_cast<std::size_t>(K_)),
        query_(static_cast<std::size_t>(K_)),
        correction_(static_cast<std::size_t>(V_)) {
    for (std::int64_t c = 0; c < K_; ++c) {
      float *state = state_row(c);
      const float *initial = args.initial_state.data == nullptr ? nullptr : row(args.initial_state, b, s, c);
      for (std::int64_t v = 0; v < V_; ++v) state[v] = initial == nullptr ? 0 : initial[v];
    }
  }

  void update(std::int64_t t) {
    load(args_, row(args_.key, b_, key_head_, t), key_);
    const float *value = row(args_.value, b_, s_, t), *gate = row(args_.gate, b_, s_, t);
    const bool gdn2 = args_.rule == SLUICE_GDN2;
    const float beta = gdn2 ? 0 : *row(args_.beta, b_, s_, t);
    const float *erase = gdn2 ? row(args_.erase, b_, s_, t) : nullptr;
    const float *write = gdn2 ? row(args_.write, b_, s_, t) : nullptr;

    for (std::int64_t v = 0; v < V_; ++v) correction(v) = (gdn2 ? write[v] : beta) * value[v];
    for (std::int64_t c = 0; c < K_; ++c) {
      float *state = state_row(c);
      const float g = args_.rule == SLUICE_GDN ? gate[0] : gate[c];
      const float decay = args_.gate_kind == SLUICE_GATE_LOG_DECAY ? std::exp(g) : g;
      const float erase_key = (gdn2 ? erase[c] : beta) * key(c);
      for (std::int64_t v = 0; v < V_; ++v) {
        state[v] *= decay;
        correction(v) -= state[v] * erase_key;
      }
    }
    for (std::int64_t c = 0; c < K_; ++c) {
      float *state = state_row(c);
      for (std::int64_t v = 0; v < V_; ++v) state[v] += key(c) * correction(v);
    }
  }

  void read(std::int64_t t, std::int64_t query_head, std::int64_t output_head) {
    load(args_, row(args_.query, b_, query_head, t), query_);
    float *output = mutable_row(args_.output, b_, output_head, t);
    for (std::int64_t v = 0; v < V_; ++v) output[v] = 0;
    for (std::int64_t c = 0; c < K_; ++c) {
      const float *state = state_row(c);
      const float q = args_.scale * query_[static_cast<std::size_t>(c)];
      for (std::int64_t v = 0; v < V_; ++v) output[v] += state[v] * q;
    }
  }

 private:
  float *state_row(std::int64_t c) const { return mutable_row(args_.final_state, b_, s_, c); }
  float key(std::int64_t c) const { return key_[static_cast<std::size_t>(c)]; }
  float &correction(std::int64_t v) { return correction_[static_cast<std::size_t>(v)]; }

  const sluice_gated_delta_rule_args &args_;
  const std::int64_t b_, s_, key_head_, K_, V_;
  std::vector<float> key_, query_, correction_;
};

}  // namespace

void plain_loop(const sluice_gated_delta_rule_args &args) {
  const std::int64_t T = args.value.shape[2], state_heads = args.value.shape[1], query_heads = args.query.shape[1];
  for (std::int64_t b = 0; b < args.value.shape[0]; ++b) {
    for (std::int64_t s = 0; s < state_heads; ++s) {
      StateHead head(args, b, s);
      for (std::int64_t t = 0; t < T; ++t) {
        head.update(t);
        if (query_heads <= state_heads) {
          head.read(t, serving_head(args, s, state_heads, query_heads), s);
          continue;
        }
        for (std::int64_t q = 0; q < query_heads; ++q) {
          if (serving_head(args, q, query_heads, state_heads) == s) head.read(t, q, q);
        }
      }
    }
  }
}

}  // namespace sluice
