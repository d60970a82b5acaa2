// The chunked algorithm as published: chunks of 64 tokens, pair decays factored as exp(g_i) exp(-g_j), WY form. Where
// gates are too strong for that factoring, the whole call goes by the two-pass recurrence, as published code does.
//
// Loops says in which order matrix products run:
//   static float dot(const float *x, const float *y, std::int64_t n)
//   static void multiply_add(Matrix out, Matrix left, Matrix right, std::int64_t inner, float factor)
//     out += factor left right; left is rows x inner, right inner x columns
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/baseline/baseline.h"
#include "bench/baseline/head.h"

namespace sluice::bench {

struct Matrix {
  float *data;
  std::int64_t rows, columns;
  std::int64_t row_stride, column_stride = 1;

  float &at(std::int64_t i, std::int64_t j) const { return data[i * row_stride + j * column_stride]; }
};

constexpr std::int64_t baseline_chunk = 64;

// Whether every exp(-g) of a chunk stays far from overflow.
inline bool gates_are_mild(const sluice_gated_delta_rule_args &args) {
  constexpr float strongest = 40;
  const std::int64_t channels = args.gate.rank == 4 ? args.gate.shape[3] : 1;
  for (std::int64_t b = 0; b < args.gate.shape[0]; ++b) {
    for (std::int64_t h = 0; h < args.gate.shape[1]; ++h) {
      for (std::int64_t c = 0; c < channels; ++c) {
        const float *const gate = static_cast<const float *>(args.gate.data) + b * args.gate.stride[0] +
                                  h * args.gate.stride[1] + (args.gate.rank == 4 ? c * args.gate.stride[3] : 0);
        float sum = 0;
        for (std::int64_t t = 0; t < args.gate.shape[2]; ++t) {
          if (t % baseline_chunk == 0) sum = 0;
          const float g = gate[t * args.gate.stride[2]];
          sum += args.gate_kind == SLUICE_GATE_LOG_DECAY ? g : std::log(g);
          if (!(std::fabs(sum) < strongest)) return false;
        }
      }
    }
  }
  return true;
}

// A chunk's intermediates, in the letters of generators/chunk.h.
template <typename Loops>
class ChunkLoop {
 public:
  explicit ChunkLoop(const Head &head)
      : head_(head), K_(head.K), V_(head.V), memory_(static_cast<std::size_t>(baseline_chunk * rows_floats())) {
    float *next = memory_.data();
    const auto matrix = [&](std::int64_t columns) {
      Matrix m{next, baseline_chunk, columns, columns};
      next += baseline_chunk * columns;
      return m;
    };
    prefix_ = matrix(K_), erase_key_ = matrix(K_), query_ = matrix(K_), near_key_ = matrix(K_), end_key_ = matrix(K_);
    pseudo_keys_ = matrix(K_), write_value_ = matrix(V_), corrected_ = matrix(V_);
    causal_kk_ = matrix(baseline_chunk), causal_qk_ = matrix(baseline_chunk), transform_ = matrix(baseline_chunk);
  }

  void run() {
    for (std::int64_t t = 0; t < head_.T; t += baseline_chunk) chunk(t, std::min(baseline_chunk, head_.T - t));
  }

 private:
  std::int64_t rows_floats() const { return 6 * K_ + 2 * V_ + 3 * baseline_chunk; }

  void load(std::int64_t first, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t t = first + i;
      head_.load(t, token_);
      std::copy(token_.write_value.begin(), token_.write_value.end(), &write_value_.at(i, 0));
      const float *const q = head_.query.row(t), *const k = head_.key.row(t);
      for (std::int64_t c = 0; c < K_; ++c) {
        const auto channel = static_cast<std::size_t>(c);
        const float before = i == 0 ? 0 : prefix_.at(i - 1, c);
        const float g = prefix_.at(i, c) = before + std::log(token_.decay[channel]);
        const float decay = std::exp(g);
        erase_key_.at(i, c) = token_.erase_key[channel] * decay;
        query_.at(i, c) = q[c] * decay;
        near_key_.at(i, c) = k[c] / decay;
      }
    }
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t c = 0; c < K_; ++c) end_key_.at(i, c) = near_key_.at(i, c) * std::exp(prefix_.at(n - 1, c));
    }
  }

  // T = (I + causal_kk)^-1, row by row: T_i = 1_i - sum_j<i causal_kk[i,j] T_j
  void solve(std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
      float *const row = &transform_.at(i, 0);
      std::fill_n(row, n, 0.0F);
      row[i] = 1;
      for (std::int64_t j = 0; j < i; ++j) {
        const float factor = causal_kk_.at(i, j);
        const float *const earlier = &transform_.at(j, 0);
        for (std::int64_t l = 0; l <= j; ++l) row[l] -= factor * earlier[l];
      }
    }
  }

  static Matrix rows(Matrix m, std::int64_t n) {
    m.rows = n;
    return m;
  }
  static void clear(const Matrix &m) { std::fill_n(m.data, m.rows * m.row_stride, 0.0F); }

  void chunk(std::int64_t first, std::int64_t n) {
    load(first, n);
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        causal_kk_.at(i, j) = j < i ? Loops::dot(&erase_key_.at(i, 0), &near_key_.at(j, 0), K_) : 0;
        causal_qk_.at(i, j) = j <= i ? Loops::dot(&query_.at(i, 0), &near_key_.at(j, 0), K_) : 0;
      }
    }
    solve(n);
    const Matrix state{head_.state.data, K_, V_, head_.state.stride};
    const Matrix output{head_.output.row(first), n, V_, head_.output.stride};
    const Matrix pseudo_keys = rows(pseudo_keys_, n), corrected = rows(corrected_, n);
    clear(pseudo_keys), clear(corrected);
    Loops::multiply_add(pseudo_keys, rows(transform_, n), erase_key_, n, 1);
    Loops::multiply_add(corrected, rows(transform_, n), write_value_, n, 1);
    Loops::multiply_add(corrected, pseudo_keys, state, K_, -1);
    for (std::int64_t i = 0; i < n; ++i) std::fill_n(&output.at(i, 0), V_, 0.0F);
    Loops::multiply_add(output, rows(query_, n), state, K_, head_.scale);
    Loops::multiply_add(output, rows(causal_qk_, n), corrected, n, head_.scale);
    for (std::int64_t c = 0; c < K_; ++c) {
      const float decay = std::exp(prefix_.at(n - 1, c));
      for (std::int64_t v = 0; v < V_; ++v) state.at(c, v) *= decay;
    }
    const Matrix end_key_transposed{end_key_.data, K_, n, 1, K_};
    Loops::multiply_add(state, end_key_transposed, corrected, n, 1);
  }

  const Head &head_;
  const std::int64_t K_, V_;
  std::vector<float> memory_;
  Token token_;
  Matrix prefix_, erase_key_, query_, near_key_, end_key_, pseudo_keys_, write_value_, corrected_;
  Matrix causal_kk_, causal_qk_, transform_;
};

template <typename Loops>
void run_chunked(const sluice_gated_delta_rule_args &args) {
  if (!gates_are_mild(args)) return two_pass(args);
  for_each_head(args, [](const Head &head) { ChunkLoop<Loops>(head).run(); });
}

}  // namespace sluice::bench
