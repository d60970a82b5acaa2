// The recurrence in two sweeps over the state a token: o = scale (S_old^T (a * q) + (k . q) delta), so that prediction
// and read share one, decay and write the other.
#include <algorithm>

#include "bench/baseline/baseline.h"
#include "bench/baseline/head.h"

namespace sluice::bench {
namespace {

void run_head(const Head &head) {
  const std::int64_t K = head.K, V = head.V;
  Token token;
  std::vector<float> buffer(static_cast<std::size_t>(2 * V));
  float *const correction = buffer.data(), *const read = correction + V;
  for (std::int64_t t = 0; t < head.T; ++t) {
    head.load(t, token);
    const float *const decay = token.decay.data(), *const erase_key = token.erase_key.data();
    const float *const key = head.key.row(t), *const query = head.query.row(t);
    float *const output = head.output.row(t);
    std::copy(token.write_value.begin(), token.write_value.end(), correction);
    std::fill_n(read, V, 0.0F);
    float key_query = 0;
    for (std::int64_t c = 0; c < K; ++c) {
      const float *const state = head.state.row(c);
      const float e = decay[c] * erase_key[c], q = decay[c] * query[c];
      key_query += key[c] * query[c];
      for (std::int64_t v = 0; v < V; ++v) {
        correction[v] -= state[v] * e;
        read[v] += state[v] * q;
      }
    }
    for (std::int64_t c = 0; c < K; ++c) {
      float *const state = head.state.row(c);
      for (std::int64_t v = 0; v < V; ++v) state[v] = decay[c] * state[v] + key[c] * correction[v];
    }
    for (std::int64_t v = 0; v < V; ++v) output[v] = head.scale * (read[v] + key_query * correction[v]);
  }
}

}  // namespace

void two_pass(const sluice_gated_delta_rule_args &args) { for_each_head(args, run_head); }

}  // namespace sluice::bench
