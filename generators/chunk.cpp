#include "generators/chunk.h"

namespace sluice::generators {

using namespace Halide;

Chunk::Chunk(const Arguments &arguments, const Extents &extents, const Knobs &chosen)
    : Operands(arguments, extents),
      knobs(chosen),
      near{chosen.row_block, /*diagonal=*/false},
      far{chosen.chunk_length / chosen.row_block, /*diagonal=*/scalar_decay(extents.rule)} {
  _halide_user_assert(knobs.row_block > 1 && knobs.chunk_length % knobs.row_block == 0)
      << "row_block " << knobs.row_block << " must be at least 2 and divide chunk_length " << knobs.chunk_length
      << "\n";
  decay_products();
  if (scalar_decay(rule)) {
    causal_terms_scalar();
  } else {
    causal_terms_per_channel();
  }
  transform();
  results();
}

void Chunk::decay_products() {
  const int C = knobs.chunk_length, B = knobs.row_block;
  const RDom later(1, C - 1, "later");
  const Expr up = later, down = C - 1 - later;

  if (scalar_decay(rule)) {
    // P_t = P_{t-1} a_t,  R_t = R_{t+1} a_{t+1}
    prefix(t, h, b) = decay(t, h, b);
    prefix(up, h, b) *= prefix(up - 1, h, b);
    suffix(t, h, b) = 1.0f;
    suffix(down, h, b) = suffix(down + 1, h, b) * decay(down + 1, h, b);
    // a_{j+1} ... a_i: row i is row i - 1 times a_i
    pair_decay(j, i, h, b) = select(j == i, 1.0f, 0.0f);
    pair_decay(j, up, h, b) += pair_decay(j, up - 1, h, b) * decay(up, h, b);
    return;
  }

  prefix(c, t, h, b) = decay(c, t, h, b);
  prefix(c, up, h, b) *= prefix(c, up - 1, h, b);
  suffix(c, t, h, b) = 1.0f;
  suffix(c, down, h, b) = suffix(c, down + 1, h, b) * decay(c, down + 1, h, b);

  // The same, restarted at every row block
  block_prefix(c, t, h, b) = decay(c, t, h, b);
  block_prefix(c, up, h, b) *= select(up % B == 0, 1.0f, block_prefix(c, up - 1, h, b));
  block_suffix(c, t, h, b) = 1.0f;
  block_suffix(c, down, h, b) =
      select(down % B == B - 1, 1.0f, block_suffix(c, down + 1, h, b) * decay(c, down + 1, h, b));

  if (!has_far_pairs()) return;
  // Blocks strictly between: (I, J) is (I - 1, J) times block I - 1
  const RDom entry(0, far.count(), "entry");
  const Expr I = far.row(entry), J = far.column(entry);
  between(c, pair, h, b) = 1.0f;
  between(c, entry, h, b) =
      select(J == I - 1, 1.0f, between(c, far.above(entry), h, b) * block_prefix(c, I * B - 1, h, b));
}

void Chunk::causal_terms_per_channel() {
  const int C = knobs.chunk_length, B = knobs.row_block;
  const RDom channel(0, padded_channels, "channel");

  // Within a block: the running product. (i, j) carries what (i - 1, j) carried, times a_i.
  {
    near_key(c, pair, block, h, b) = undef<float>();
    const RDom entry(0, near.count(), "near_entry");
    const Expr row = near.row(entry), column = near.column(entry);
    const Expr carried =
        select(column == row - 1, key(c, block * B + column, h, b), near_key(c, near.above(entry), block, h, b));
    near_key(c, entry, block, h, b) = carried * decay(c, block * B + row, h, b);
  }
  near_dot(pair, block, r, h, b) +=
      probe(channel, block * B + near.row(pair), r, h, b) * near_key(channel, pair, block, h, b);
  self_dot(i, r, h, b) += probe(channel, i, r, h, b) * key(channel, i, h, b);

  // causal[i,j] = sum_c probe_i[c] k_j[c] a_{j+1}[c] ... a_i[c]
  const RDom diagonal(0, C, "diagonal");
  const RDom inside(0, near.count(), 0, C / B, "inside");
  causal(j, i, r, h, b) = 0.0f;
  causal(diagonal, diagonal, r, h, b) = select(r > 0, self_dot(diagonal, r, h, b), 0.0f);
  causal(inside.y * B + near.column(inside.x), inside.y * B + near.row(inside.x), r, h, b) =
      near_dot(inside.x, inside.y, r, h, b);

  lead(c, t, r, h, b) = probe(c, t, r, h, b) * block_prefix(c, t, h, b);
  if (!has_far_pairs()) return;

  // Between blocks: everything factors at the start of the row's block.
  const Expr I = far.row(pair), J = far.column(pair);
  far_key(c, jj, pair, h, b) = key(c, J * B + jj, h, b) * (block_suffix(c, J * B + jj, h, b) * between(c, pair, h, b));
  far_dot(jj, ii, pair, r, h, b) += lead(channel, I * B + ii, r, h, b) * far_key(channel, jj, pair, h, b);

  const RDom outside(0, B, 0, B, 0, far.count(), "outside");
  causal(far.column(outside.z) * B + outside.x, far.row(outside.z) * B + outside.y, r, h, b) =
      far_dot(outside.x, outside.y, outside.z, r, h, b);
}

void Chunk::causal_terms_scalar() {
  // One decay per token leaves the sum over channels: causal[i,j] = (probe_i . k_j) a_{j+1} ... a_i
  const int B = knobs.row_block;
  const RDom channel(0, padded_channels, "channel");
  const Expr I = far.row(pair), J = far.column(pair);
  far_dot(jj, ii, pair, r, h, b) += probe(channel, I * B + ii, r, h, b) * key(channel, J * B + jj, h, b);

  const RDom blocks(0, B, 0, B, 0, far.count(), "blocks");
  const Expr column = far.column(blocks.z) * B + blocks.x, row = far.row(blocks.z) * B + blocks.y;
  const Expr kept = select(column < row || (column == row && r > 0), pair_decay(column, row, h, b), 0.0f);
  causal(j, i, r, h, b) = 0.0f;
  causal(column, row, r, h, b) = far_dot(blocks.x, blocks.y, blocks.z, r, h, b) * kept;
}

void Chunk::transform() {
  const int C = knobs.chunk_length;
  // (I + beta causal_kk)^-1 by forward substitution: row i = unit row - sum_{x < i} L[i,x] row x
  RDom below(0, C, 1, C - 1, "below");
  below.where(below.x < below.y);
  inverse(j, i, h, b) = select(j == i, 1.0f, 0.0f);
  inverse(j, below.y, h, b) -= strength(below.y, h, b) * causal(below.x, below.y, 0, h, b) * inverse(j, below.x, h, b);
  // beta folded into the columns: T scales keys and values alike
  triangular_transform(j, i, h, b) = inverse(j, i, h, b) * strength(j, h, b);
}

void Chunk::results() {
  const int C = knobs.chunk_length;
  const bool scalar = scalar_decay(rule);
  const RDom channel(0, key_dim, "state_channel");
  const RDom token(0, C, "token");
  // Tokens up to the end of t's row block: past t the causal terms and the transform are zero.
  RDom earlier(0, C, "earlier");
  earlier.where(earlier / knobs.row_block <= t / knobs.row_block);
  // A scalar decay multiplies the finished sum, one per channel its terms.
  const Expr row_decay = scalar ? prefix(t, h, b) : Expr(1.0f);

  decayed_probe(c, t, r, h, b) = scalar ? probe(c, t, r, h, b) : prefix(c, t, h, b) * probe(c, t, r, h, b);
  decayed_key(c, t, h, b) = key(c, t, h, b) * (scalar ? suffix(t, h, b) : suffix(c, t, h, b));

  if (knobs.prefetch) state_read(v, t, r, h, b) = prefetched();
  state_read(v, t, r, h, b) += decayed_probe(channel, t, r, h, b) * state(v, channel, h, b);

  if (knobs.form == Form::in_order) {
    // D = T (z - (P * e)^T S)
    residual(v, t, h, b) = value(v, t, h, b) - row_decay * state_read(v, t, 0, h, b);
    corrected(v, t, h, b) += triangular_transform(earlier, t, h, b) * residual(v, earlier, h, b);
  } else {
    // W = T (P * e),  U = T z,  D = U - W S
    const Expr token_decay = scalar ? prefix(token, h, b) : Expr(1.0f);
    pseudo_keys(c, t, h, b) += triangular_transform(token, t, h, b) * token_decay * decayed_probe(c, token, 0, h, b);
    pseudo_values(v, t, h, b) += triangular_transform(token, t, h, b) * value(v, token, h, b);
    pseudo_read(v, t, h, b) += pseudo_keys(channel, t, h, b) * state(v, channel, h, b);
    corrected(v, t, h, b) = pseudo_values(v, t, h, b) - pseudo_read(v, t, h, b);
  }

  // O = (P * q)^T S + causal_qk D
  output_sum(v, t, g, h, b) = row_decay * state_read(v, t, g + 1, h, b);
  output_sum(v, t, g, h, b) += causal(earlier, t, g + 1, h, b) * corrected(v, earlier, h, b);
  output(v, t, g, h, b) = output_sum(v, t, g, h, b);

  // S = diag(P_last) S + (R * k)^T D
  if (scalar) {
    chunk_decay(h, b) = prefix(C - 1, h, b);
  } else {
    chunk_decay(c, h, b) = prefix(c, C - 1, h, b);
  }
  state_sum(v, c, h, b) = (scalar ? chunk_decay(h, b) : chunk_decay(c, h, b)) * state(v, c, h, b);
  state_sum(v, c, h, b) += decayed_key(c, token, h, b) * corrected(v, token, h, b);
  final_state(v, c, h, b) = state_sum(v, c, h, b);
}

}  // namespace sluice::generators
