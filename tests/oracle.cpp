#include "tests/oracle.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace sluice::test {
namespace {

using Vector = std::vector<double>;

double element(const sluice_tensor &tensor, std::int64_t b, std::int64_t h, std::int64_t t, std::int64_t c = 0) {
  std::int64_t offset = b * tensor.stride[0] + h * tensor.stride[1] + t * tensor.stride[2];
  if (tensor.rank == 4) offset += c * tensor.stride[3];
  return static_cast<double>(static_cast<const float *>(tensor.data)[offset]);
}

Vector row(const sluice_tensor &tensor, std::int64_t b, std::int64_t h, std::int64_t t) {
  Vector values(static_cast<std::size_t>(tensor.shape[3]));
  for (std::size_t c = 0; c < values.size(); ++c) values[c] = element(tensor, b, h, t, static_cast<std::int64_t>(c));
  return values;
}

// x / sqrt(sum(x^2) + eps), where asked for
Vector normalised(Vector x, const sluice_gated_delta_rule_args &args) {
  if (args.l2norm == 0) return x;
  double sum = static_cast<double>(args.l2norm_eps);
  for (const double value : x) sum += value * value;
  for (double &value : x) value /= std::sqrt(sum);
  return x;
}

std::int64_t mapped_head(std::int64_t head, std::int64_t heads, std::int64_t onto, std::int32_t head_map) {
  return head_map == SLUICE_HEAD_MAP_MODULO ? head % onto : head / (heads / onto);
}

struct Token {
  Vector decay, key, erase_key, write_value;
};

Token token_at(const sluice_gated_delta_rule_args &args, std::int64_t b, std::int64_t s, std::int64_t t) {
  const std::int64_t key_head = mapped_head(s, args.value.shape[1], args.key.shape[1], args.head_map);
  Token token;
  token.key = normalised(row(args.key, b, key_head, t), args);
  token.write_value = row(args.value, b, s, t);
  const std::size_t K = token.key.size();

  if (args.rule == SLUICE_GDN) {
    token.decay.assign(K, element(args.gate, b, s, t));
  } else {
    token.decay = row(args.gate, b, s, t);
  }
  if (args.gate_kind == SLUICE_GATE_LOG_DECAY) {
    for (double &decay : token.decay) decay = std::exp(decay);
  }

  token.erase_key = token.key;
  if (args.rule == SLUICE_GDN2) {
    const Vector erase = row(args.erase, b, s, t), write = row(args.write, b, s, t);
    for (std::size_t c = 0; c < K; ++c) token.erase_key[c] *= erase[c];
    for (std::size_t v = 0; v < write.size(); ++v) token.write_value[v] *= write[v];
  } else {
    const double beta = element(args.beta, b, s, t);
    for (double &value : token.erase_key) value *= beta;
    for (double &value : token.write_value) value *= beta;
  }
  return token;
}

// S <- diag(a) S;  delta = z - S^T e;  S <- S + k (x) delta
void update(double *state, const Token &token) {
  const std::size_t K = token.key.size(), V = token.write_value.size();
  Vector delta = token.write_value;
  for (std::size_t c = 0; c < K; ++c) {
    double *state_row = state + c * V;
    for (std::size_t v = 0; v < V; ++v) {
      state_row[v] *= token.decay[c];
      delta[v] -= state_row[v] * token.erase_key[c];
    }
  }
  for (std::size_t c = 0; c < K; ++c) {
    for (std::size_t v = 0; v < V; ++v) state[c * V + v] += token.key[c] * delta[v];
  }
}

// o = scale * S^T q
void read(const double *state, const Vector &query, double scale, double *output, std::size_t V) {
  std::fill(output, output + V, 0.0);
  for (std::size_t c = 0; c < query.size(); ++c) {
    for (std::size_t v = 0; v < V; ++v) output[v] += state[c * V + v] * query[c] * scale;
  }
}

}  // namespace

Expected token_loop(const sluice_gated_delta_rule_args &args) {
  const std::int64_t B = args.value.shape[0], Hs = args.value.shape[1], T = args.value.shape[2],
                     V = args.value.shape[3];
  const std::int64_t Hq = args.query.shape[1], K = args.query.shape[3], Ho = std::max(Hq, Hs);
  Expected expected;
  expected.output.resize(static_cast<std::size_t>(B * Ho * T * V));
  expected.final_state.resize(static_cast<std::size_t>(B * Hs * K * V));

  for (std::int64_t b = 0; b < B; ++b) {
    for (std::int64_t s = 0; s < Hs; ++s) {
      double *state = expected.final_state.data() + (b * Hs + s) * K * V;
      if (args.initial_state.data != nullptr) {
        for (std::int64_t c = 0; c < K; ++c) {
          for (std::int64_t v = 0; v < V; ++v) state[c * V + v] = element(args.initial_state, b, s, c, v);
        }
      }
      for (std::int64_t t = 0; t < T; ++t) {
        update(state, token_at(args, b, s, t));
        for (std::int64_t o = 0; o < Ho; ++o) {
          const std::int64_t state_head = Hq > Hs ? mapped_head(o, Hq, Hs, args.head_map) : o;
          if (state_head != s) continue;
          const std::int64_t query_head = Hq > Hs ? o : mapped_head(o, Hs, Hq, args.head_map);
          read(state, normalised(row(args.query, b, query_head, t), args), static_cast<double>(args.scale),
               expected.output.data() + ((b * Ho + o) * T + t) * V, static_cast<std::size_t>(V));
        }
      }
    }
  }
  return expected;
}

}  // namespace sluice::test
