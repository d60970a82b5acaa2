// The recurrence as it is written in papers: decay, predict, write, read; four sweeps over the state a token.
#include <algorithm>

#include "bench/baseline/baseline.h"
#include "bench/baseline/head.h"

namespace sluice::bench {
namespace {

void run_head(const Head &head) {
  const std::int64_t K = head.K, V = head.V;
  Token token;
  std::vector<float> buffer(static_cast<std::size_t>(V));
  float *const correction = buffer.data();
  for (std::int64_t t = 0; t < head.T; ++t) {
    head.load(t, token);
    const float *const decay = token.decay.data(), *const erase_key = token.erase_key.data();
    const float *const key = head.key.row(t), *const query = head.query.row(t);
    float *const output = head.output.row(t);
    for (std::int64_t c = 0; c < K; ++c) {
      float *const state = head.state.row(c);
      for (std::int64_t v = 0; v < V; ++v) state[v] *= decay[c];
    }
    std::copy(token.write_value.begin(), token.write_value.end(), correction);
    for (std::int64_t c = 0; c < K; ++c) {
      const float *const state = head.state.row(c);
      for (std::int64_t v = 0; v < V; ++v) correction[v] -= state[v] * erase_key[c];
    }
    for (std::int64_t c = 0; c < K; ++c) {
      float *const state = head.state.row(c);
      for (std::int64_t v = 0; v < V; ++v) state[v] += key[c] * correction[v];
    }
    std::fill_n(output, V, 0.0F);
    for (std::int64_t c = 0; c < K; ++c) {
      const float *const state = head.state.row(c);
      const float q = head.scale * query[c];
      for (std::int64_t v = 0; v < V; ++v) output[v] += state[v] * q;
    }
  }
}

}  // namespace

void four_pass(const sluice_gated_delta_rule_args &args) { for_each_head(args, run_head); }

}  // namespace sluice::bench
