// The operator's inputs as Funcs: what every algorithm starts from, whatever the rule.
#pragma once

#include "Halide.h"

namespace sluice::generators {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

enum class Rule { gdn, kda, gdn2 };

// One decay per token, or one per token and channel.
inline bool scalar_decay(Rule rule) { return rule == Rule::gdn; }

// The kernel's arguments, in the order of the call. Dimensions as in runtime/kernel.h.
struct Arguments {
  Func query, key, value, gate, beta, erase, write, initial_state;
  Expr scale, l2norm_eps, l2norm, gate_is_log;
  Expr key_head_divisor, key_head_modulus, query_head_divisor, query_head_modulus;
  Expr tokens;       // rows given to this call
  Expr query_group;  // g: query heads that read one state
  Expr key_dim, value_dim;
};

// How the sizes reach the algorithm.
struct Extents {
  Rule rule = Rule::gdn;
  int head_dim = 0;          // K = V's tile is a multiple; 0 = any: K and V are run-time numbers
  bool all_heads = false;    // the call takes every batch and head, not one state head
  int channel_multiple = 1;  // any: channels are zero-extended to a multiple of this
};

struct Operands {
  Var c{"c"}, v{"v"}, t{"t"}, g{"g"}, r{"r"}, h{"h"}, b{"b"};

  Rule rule;
  bool any;      // K and V are run-time numbers
  int head_dim;  // K, and V of a head that is not cut; 0 = any
  Expr tokens, key_dim, value_dim, query_group;
  Expr probes;               // 1 + g
  Expr gate_is_log, l2norm;  // run-time switches, for schedules that specialise
  Expr padded_channels;      // K, rounded up to Extents::channel_multiple

  // Rows past the last token and channels past K hold zero (decay: one), so a ragged chunk or an odd head dim computes
  // with harmless numbers.
  Func query_square{"query_square"}, key_square{"key_square"};  // sum x^2 over channels (t, g, h, b), (t, h, b)
  Func query_norm{"query_norm"}, key_norm{"key_norm"};          // scale / sqrt(sum x^2 + eps), 1 / sqrt(sum x^2 + eps)
  Func key{"key_row"};                                          // k(c, t, h, b)
  Func decay{"decay"};        // a(c, t, h, b), or a(t, h, b) where the rule's is a scalar
  Func strength{"strength"};  // beta(t, h, b); gdn2: one
  Func probe{
      "probe"};  // r = 0: the erase key without beta; r >= 1: query r - 1, normalised, times scale (c, t, r, h, b)
  Func value{"value_row"};  // the write value without beta (v, t, h, b)
  Func state{"state"};      // S before the first token (v, c, h, b)

  // 0. Each evaluation lets the runtime fetch some of what the next call needs (runtime/prefetch.h): where a schedule
  // computes it, a little memory traffic goes beside the arithmetic.
  Func prefetched{"prefetched"};

  Operands(const Arguments &arguments, const Extents &extents);

  // a_t for a channel, whatever the decay's rank.
  Expr decay_at(Expr channel, Expr token) const {
    return scalar_decay(rule) ? decay(token, h, b) : decay(channel, token, h, b);
  }
};

}  // namespace sluice::generators
