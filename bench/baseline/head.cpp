#include "bench/baseline/head.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sluice::bench {
namespace {

Rows rows(const sluice_tensor &tensor, std::int64_t b, std::int64_t h) {
  if (tensor.data == nullptr) return {};
  return {static_cast<float *>(tensor.data) + b * tensor.stride[0] + h * tensor.stride[1], tensor.stride[2]};
}

}  // namespace

void Head::load(std::int64_t t, Token &token) const {
  const auto channels = static_cast<std::size_t>(K), columns = static_cast<std::size_t>(V);
  token.decay.resize(channels);
  token.erase_key.resize(channels);
  token.write_value.resize(columns);
  const float *const g = gate.row(t), *const k = key.row(t), *const v = value.row(t);
  if (decay_per_channel) {
    for (std::size_t c = 0; c < channels; ++c) token.decay[c] = gate_is_log ? std::exp(g[c]) : g[c];
  } else {
    std::fill(token.decay.begin(), token.decay.end(), gate_is_log ? std::exp(g[0]) : g[0]);
  }
  if (erase.data != nullptr) {
    const float *const e = erase.row(t), *const w = write.row(t);
    for (std::size_t c = 0; c < channels; ++c) token.erase_key[c] = e[c] * k[c];
    for (std::size_t j = 0; j < columns; ++j) token.write_value[j] = w[j] * v[j];
  } else {
    const float b = *beta.row(t);
    for (std::size_t c = 0; c < channels; ++c) token.erase_key[c] = b * k[c];
    for (std::size_t j = 0; j < columns; ++j) token.write_value[j] = b * v[j];
  }
}

void for_each_head(const sluice_gated_delta_rule_args &args, void (*run)(const Head &head)) {
  const std::int64_t B = args.value.shape[0], Hs = args.value.shape[1], Hk = args.key.shape[1],
                     Hq = args.query.shape[1];
  if (args.l2norm != 0) throw std::invalid_argument("baseline: l2norm must be 0, is 1");
  if (Hq > Hs) throw std::invalid_argument("baseline: more query heads than state heads");
  const auto serving = [&](std::int64_t s, std::int64_t heads) {
    return args.head_map == SLUICE_HEAD_MAP_MODULO ? s % heads : s / (Hs / heads);
  };
  const std::int64_t K = args.key.shape[3], V = args.value.shape[3];
  std::vector<float> dropped;  // the state of a call that does not want it
  if (args.final_state.data == nullptr) dropped.resize(static_cast<std::size_t>(K * V));

  for (std::int64_t b = 0; b < B; ++b) {
    for (std::int64_t s = 0; s < Hs; ++s) {
      Head head;
      head.T = args.value.shape[2];
      head.K = K;
      head.V = V;
      head.decay_per_channel = args.rule != SLUICE_GDN;
      head.gate_is_log = args.gate_kind == SLUICE_GATE_LOG_DECAY;
      head.scale = args.scale;
      head.query = rows(args.query, b, serving(s, Hq));
      head.key = rows(args.key, b, serving(s, Hk));
      head.value = rows(args.value, b, s);
      head.gate = rows(args.gate, b, s);
      head.beta = rows(args.beta, b, s);
      head.erase = rows(args.erase, b, s);
      head.write = rows(args.write, b, s);
      head.output = rows(args.output, b, s);
      head.state = dropped.empty() ? rows(args.final_state, b, s) : Rows{dropped.data(), V};
      const Rows initial = rows(args.initial_state, b, s);
      for (std::int64_t c = 0; c < K; ++c) {
        if (initial.data == nullptr) {
          std::fill_n(head.state.row(c), V, 0.0F);
        } else if (initial.data != head.state.data) {
          std::copy_n(initial.row(c), V, head.state.row(c));
        }
      }
      run(head);
    }
  }
}

}  // namespace sluice::bench
