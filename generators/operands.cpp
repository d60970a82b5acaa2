#include "generators/operands.h"

namespace sluice::generators {

using namespace Halide;

namespace {

HalideExtern_1(float, sluice_hook_prefetch, void *);

// exp(gate), by the polynomial in scalar code too, so that a value does not depend on how its loop was vectorised. The
// polynomial is for finite numbers: in fp32 exp(-200) is 0 and exp(200) infinite already, and a NaN, told by its bits
// since arithmetic may be compiled as if there were none, stays one.
Expr decay_of_log(const Expr &gate) {
  const Expr finite = Halide::Internal::halide_exp(clamp(gate, -200.0f, 200.0f));
  const Expr magnitude = reinterpret<uint32_t>(gate) & Expr(uint32_t{0x7fffffff});
  return select(magnitude > Expr(uint32_t{0x7f800000}), gate, finite);
}

}  // namespace

Operands::Operands(const Arguments &in, const Extents &extents)
    : rule(extents.rule),
      any(extents.head_dim == 0),
      head_dim(extents.head_dim),
      tokens(in.tokens),
      key_dim(in.key_dim),
      value_dim(in.value_dim),
      query_group(in.query_group),
      probes(in.query_group + 1),
      gate_is_log(in.gate_is_log != 0),
      l2norm(in.l2norm != 0) {
  const int multiple = extents.channel_multiple;
  padded_channels = any ? (key_dim + multiple - 1) / multiple * multiple : key_dim;

  const Expr last = tokens - 1;
  const Expr row = min(t, last);
  const Expr given = t < tokens;
  const Expr key_head = extents.all_heads ? (h / in.key_head_divisor) % in.key_head_modulus : Expr(h);
  const Expr query_head = extents.all_heads ? (h / in.query_head_divisor) % in.query_head_modulus : Expr(h);

  // Zero-extension in channels and values; nothing to extend where the head dim is a constant.
  auto channel = [&](const Expr &x) { return any ? min(likely(x), key_dim - 1) : x; };
  auto column = [&](const Expr &x) { return any ? min(likely(x), value_dim - 1) : x; };
  auto in_channels = [&](const Expr &x) { return any ? given && likely(x < key_dim) : given; };
  auto in_columns = [&](const Expr &x) { return any ? given && likely(x < value_dim) : given; };

  // 1 / sqrt(sum_c x^2 + eps)
  auto inverse_norm = [&](const Expr &sum) { return select(l2norm, 1.0f / sqrt(sum + in.l2norm_eps), 1.0f); };
  RDom channels(0, padded_channels, "channels");
  const Expr key_entry = select(in_channels(channels), in.key(channel(channels), row, key_head, b), 0.0f);
  const Expr query_entry = select(in_channels(channels), in.query(channel(channels), row, g, query_head, b), 0.0f);
  key_square(t, h, b) += key_entry * key_entry;
  query_square(t, g, h, b) += query_entry * query_entry;
  key_norm(t, h, b) = inverse_norm(key_square(t, h, b));
  query_norm(t, g, h, b) = inverse_norm(query_square(t, g, h, b)) * in.scale;

  // The norm of a row that is not there is infinite where eps is 0: it must not meet the zero.
  key(c, t, h, b) = select(in_channels(c), in.key(channel(c), row, key_head, b) * key_norm(t, h, b), 0.0f);

  auto as_decay = [&](const Expr &gate) { return select(gate_is_log, decay_of_log(gate), gate); };
  if (scalar_decay(rule)) {
    decay(t, h, b) = select(given, as_decay(in.gate(row, h, b)), 1.0f);
  } else {
    decay(c, t, h, b) = select(in_channels(c), as_decay(in.gate(channel(c), row, h, b)), 1.0f);
  }

  const bool separate_gates = rule == Rule::gdn2;
  strength(t, h, b) = separate_gates ? Expr(1.0f) : select(given, in.beta(row, h, b), 0.0f);

  const Expr erase_gate = separate_gates ? select(in_channels(c), in.erase(channel(c), row, h, b), 0.0f) : Expr(1.0f);
  const Expr group = clamp(r - 1, 0, query_group - 1);
  const Expr query =
      select(in_channels(c), in.query(channel(c), row, group, query_head, b) * query_norm(t, group, h, b), 0.0f);
  probe(c, t, r, h, b) = select(likely(r > 0), query, erase_gate * key(c, t, h, b));

  const Expr write_gate = separate_gates ? in.write(column(v), row, h, b) : Expr(1.0f);
  value(v, t, h, b) = select(in_columns(v), write_gate * in.value(column(v), row, h, b), 0.0f);

  prefetched() = sluice_hook_prefetch(user_context_value());

  state(v, c, h, b) =
      any ? select(likely(v < value_dim), in.initial_state(column(v), c, h, b), 0.0f) : in.initial_state(v, c, h, b);
}

}  // namespace sluice::generators
