// C tokens of the gated delta rule at once, exact at any decay in [0, 1].
//
// Between tokens j < i of a chunk the decay is the product a_{j+1} ... a_i. Published implementations write it as
// exp(gamma_i) exp(-gamma_j), which overflows for strong gates. Here every factor is a product of decays:
//   - a chunk is cut into row blocks of `row_block` tokens;
//   - inside a block, keys carry a running product (`near_key`: when row i is reached, every earlier key is multiplied
//   by
//     a_i);
//   - between blocks the product factors at the start of the row's block: `block_prefix` on the row's side,
//   block_suffix
//     and whole blocks (`far_key`) on the key's side.
// Nothing overflows, decay 0 is exact, and row i never depends on a later token.
#pragma once

#include "generators/operands.h"
#include "generators/triangle.h"

namespace sluice::generators {

enum class Form {
  in_order,  // D = T (z - (P * e) S): chunks run in order, the state is at hand
  wy,        // D = U - W S with pseudo-keys W and pseudo-values U, which need no state
};

struct ChunkKnobs {
  Form form = Form::in_order;
  int chunk_length = 16;
  int row_block = 4;  // divides chunk_length; equal to it: one running product through the whole chunk
  bool all_heads = false;
  int channel_multiple = 1;
  bool prefetch = false;  // state_read's sums start from `prefetched`
};

struct Chunk : Operands {
  using Knobs = ChunkKnobs;

  Knobs knobs;
  Triangle near, far;  // pairs of tokens in a block; pairs of blocks

  Var i{"i"}, j{"j"};                      // row (query, erase key) and column (key) of a causal term
  Var ii{"ii"}, jj{"jj"}, block{"block"};  // the same within a block
  Var pair{"pair"};                        // an entry of `near` or `far`

  // Decay products, (c, t, h, b), or (t, h, b) for a scalar decay
  Func prefix{"prefix"};              // P_t: a_0 ... a_t
  Func suffix{"suffix"};              // R_t: a_{t+1} ... a_{C-1}
  Func block_prefix{"block_prefix"};  // the same within the token's block              [decay per channel]
  Func block_suffix{"block_suffix"};
  Func between{"between"};        // whole blocks between two blocks (c, pair, h, b)  [decay per channel]
  Func pair_decay{"pair_decay"};  // a_{j+1} ... a_i (j, i, h, b)                     [scalar decay]

  // Causal terms
  Func near_key{"near_key"};  // k_j a_{j+1} ... a_i within a block (c, pair, block, h, b)
  Func far_key{"far_key"};    // k_j carried to the start of the row's block (c, jj, pair, h, b)
  Func lead{"lead"};          // probe_i * block_prefix_i (c, t, r, h, b)
  Func near_dot{"near_dot"};  // (pair, block, r, h, b)
  Func far_dot{"far_dot"};    // (jj, ii, pair, r, h, b)
  Func self_dot{"self_dot"};  // probe_i . k_i (i, r, h, b)                            [decay per channel]
  Func causal{"causal"};      // causal_kk (r = 0, j < i), causal_qk (r >= 1, j <= i) (j, i, r, h, b)

  Func inverse{"inverse"};                            // (I + causal_kk)^-1 (j, i, h, b)
  Func triangular_transform{"triangular_transform"};  // T: the inverse times diag(beta)

  Func chunk_decay{"chunk_decay"};      // P_last (c, h, b), or (h, b) for a scalar decay
  Func decayed_probe{"decayed_probe"};  // P * probe (c, t, r, h, b); the probe itself for a scalar decay
  Func decayed_key{"decayed_key"};      // R * k (c, t, h, b)
  Func state_read{"state_read"};        // (P * probe)^T S (v, t, r, h, b)
  Func residual{"residual"};            // z - (P * e)^T S (v, t, h, b)        [in order]
  Func pseudo_keys{"pseudo_keys"};      // W = T (P * e) (c, t, h, b)          [WY]
  Func pseudo_values{"pseudo_values"};  // U = T z (v, t, h, b)                [WY]
  Func pseudo_read{"pseudo_read"};      // W S (v, t, h, b)                    [WY]
  Func corrected{"corrected"};          // D (v, t, h, b)
  Func output_sum{"output_sum"};        // (P * q)^T S + causal_qk D (v, t, g, h, b)
  Func state_sum{"state_sum"};          // diag(P_last) S + (R * k)^T D (v, c, h, b)
  Func output{"output"}, final_state{"final_state"};

  Chunk(const Arguments &arguments, const Extents &extents, const Knobs &knobs);

  bool has_far_pairs() const { return far.count() > 0; }

 private:
  void decay_products();
  void causal_terms_per_channel();
  void causal_terms_scalar();
  void transform();
  void results();
};

}  // namespace sluice::generators
