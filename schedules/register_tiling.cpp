#include "schedules/register_tiling.h"

#include "runtime/kernel.h"
#include "schedules/parts.h"

namespace sluice::schedules {
namespace {

using namespace Halide;

// A sum over channels, a tile of its entries at a time: each has one vector of channels as its accumulator, then a
// horizontal add. `rows` of the var `row` make a tile with all of `whole`. Tiles of a power of two are added
// `together`.
void dot_tile(Func dot, const Var &whole, const Var &row, int rows, bool together, const Machine &machine) {
  Var lane("lane"), outer_row("outer_row"), inner_row("inner_row");
  RVar channel = dot.rvars(0)[0], outer("outer"), inner("inner");
  dot.compute_root().update().split(channel, outer, inner, machine.lanes);
  Func partial = dot.update().rfactor(inner, lane);
  dot.update().split(row, outer_row, inner_row, rows).reorder(inner, whole, inner_row, outer_row);
  dot.update().atomic().vectorize(inner);
  if (together) {
    dot.update().vectorize(whole).vectorize(inner_row);
  } else {
    dot.update().unroll(whole).unroll(inner_row);
  }
  partial.compute_at(dot, outer_row)
      .reorder_storage(lane, whole, row)
      .reorder(lane, whole, row)
      .vectorize(lane)
      .unroll(whole)
      .unroll(row);
  partial.update().reorder(lane, whole, row, outer).vectorize(lane).unroll(whole).unroll(row);
}

void causal_terms(Chunk &a, const Machine &machine, const Tuning &tuning) {
  const int C = a.knobs.chunk_length;
  a.causal.compute_root().bound(a.j, 0, C).bound(a.i, 0, C).vectorize(a.j, machine.lanes);
  if (generators::scalar_decay(a.rule)) {
    a.pair_decay.compute_root().bound(a.j, 0, C).bound(a.i, 0, C).vectorize(a.j, machine.lanes);
    a.pair_decay.update().vectorize(a.j, machine.lanes);
  } else {
    RVar pair = a.near_key.rvars(0)[0];
    a.near_key.compute_root();
    a.near_key.update()
        .reorder(pair, a.c, a.block, a.h, a.b)
        .vectorize(a.c, machine.lanes, TailStrategy::RoundUp)
        .unroll(pair);
    dot_tile(a.near_dot, a.pair, a.block, 1, /*together=*/false, machine);
    dot_tile(a.self_dot, a.h, a.i, 4, /*together=*/true, machine);
  }
  // Blocks go to their places a row at a time; the places differ, which Halide does not see.
  for (int stage = 0; stage < a.causal.num_update_definitions(); stage++) {
    const std::vector<RVar> entry = a.causal.rvars(stage);
    Stage place = a.causal.update(stage);
    const size_t in_a_vector = entry.size() == 3 ? 1 : 0;
    if (in_a_vector == 1) place.allow_race_conditions().vectorize(entry[0]);
    for (size_t n = in_a_vector; n < entry.size(); n++) place.unroll(entry[n]);
  }
  if (a.has_far_pairs()) {
    dot_tile(a.far_dot, a.jj, a.ii, tuning.get("dot_rows", machine.registers == 32 ? 4 : 2), /*together=*/true,
             machine);
  }
}

// Everything that is a product of key or probe with decays, a vector of channels at a time with all loops over tokens
// unrolled: running products stay in registers, only what the causal terms and the state need is kept.
void decayed_rows(Chunk &a, const Machine &machine) {
  const int C = a.knobs.chunk_length;
  Var co("co"), ci("ci");
  if (generators::scalar_decay(a.rule)) {
    for (Func product : {a.prefix, a.suffix}) product.compute_root().bound(a.t, 0, C);
    vectorize_channels(a.decayed_key, a.c, machine);
    a.decayed_key.bound(a.t, 0, C);
    return;
  }
  std::vector<Func> kept = {a.decayed_probe, a.decayed_key, a.chunk_decay};
  if (a.has_far_pairs()) kept.insert(kept.end(), {a.lead, a.far_key});
  for (Func f : kept) {
    f.compute_root().split(a.c, co, ci, machine.lanes, TailStrategy::RoundUp).vectorize(ci, machine.lanes);
    std::vector<VarOrRVar> order = {ci};
    for (const Var &dimension : f.args()) {
      const std::string &name = dimension.name();
      const bool by_token = name == a.t.name() || name == a.jj.name() || name == a.pair.name();
      if (name == a.t.name()) f.bound(a.t, 0, C);
      if (by_token) f.unroll(dimension);
      if (by_token || name == a.r.name()) order.push_back(dimension);
    }
    order.insert(order.end(), {co, a.h, a.b});
    f.reorder(order);
    if (f.name() != a.decayed_probe.name()) f.compute_with(a.decayed_probe, co);
  }
  std::vector<Func> products = {a.prefix, a.suffix, a.block_prefix, a.block_suffix};
  if (!a.has_far_pairs()) products.resize(2);
  for (Func product : products) {
    const RVar later = product.rvars(0)[0];
    product.compute_at(a.decayed_probe, co).bound(a.t, 0, C).vectorize(a.c, machine.lanes).unroll(a.t);
    product.update().reorder(a.c, later, a.h, a.b).vectorize(a.c, machine.lanes, TailStrategy::RoundUp).unroll(later);
  }
  if (a.has_far_pairs()) {
    const RVar entry = a.between.rvars(0)[0];
    a.between.compute_at(a.decayed_probe, co).vectorize(a.c, machine.lanes).unroll(a.pair);
    a.between.update().reorder(a.c, entry).vectorize(a.c, machine.lanes, TailStrategy::RoundUp).unroll(entry);
  }
}

}  // namespace

Chunk::Knobs register_tiling_knobs(const Machine &machine, const Tuning &tuning, generators::Form form) {
  Chunk::Knobs k;
  k.form = form;
  k.prefetch = tuning.get("prefetch", 1) == 1;
  k.row_block = tuning.get("row_block", 4);
  k.channel_multiple = machine.lanes;
  return k;
}

void register_tiling(Chunk &a, const Machine &machine, const Tuning &tuning) {
  const int C = a.knobs.chunk_length;
  const int lanes = machine.lanes;
  _halide_user_assert(divides(lanes, C)) << "chunk_length: " << C << "; expected a multiple of the " << lanes
                                         << " lanes of a vector\n";
  const bool few_registers = machine.registers == 16;
  const int vectors = tuning.get("vectors", a.any && !few_registers ? 2 : 4);  // columns of a tile, in vectors
  const int tile = vectors * lanes;
  _halide_user_assert(vectors > 0 && vectors <= 16 && (a.any || divides(tile, kColumnUnit)))
      << "vectors: " << vectors << " of " << lanes << " columns; expected 1 to 16, and a divisor of " << kColumnUnit
      << " columns\n";
  const int rows = few_registers ? 2 : 16 / vectors;    // 16 accumulators, or 8
  const int read_rows = tuning.get("read_rows", rows);  // rows of a state-read tile
  const int read_unroll = tuning.get("read_unroll", 4);
  const int write_rows = tuning.get("write_rows", rows);  // channels of a state-write tile
  _halide_user_assert(divides(read_rows, C)) << "read_rows: " << read_rows << "; expected a divisor of " << C << "\n";
  const TailStrategy tail = value_tail(a.any);
  Var vo("vo"), vi("vi"), to("to"), ti("ti"), co("co"), ci("ci");

  prepare_rows(a, machine);
  vectorize_channels(a.probe, a.c, machine);
  for (Func f : {a.key, a.decay, a.probe}) f.bound(a.t, 0, C);
  decayed_rows(a, machine);
  causal_terms(a, machine, tuning);

  RVar x = a.inverse.rvars(0)[0], y = a.inverse.rvars(0)[1];
  a.inverse.compute_root().bound(a.j, 0, C).bound(a.i, 0, C).vectorize(a.j, lanes).unroll(a.i);
  a.inverse.update().reorder(a.j, x, y, a.h, a.b).vectorize(a.j, lanes).unroll(a.j).unroll(x).unroll(y);
  a.triangular_transform.compute_root().bound(a.j, 0, C).bound(a.i, 0, C).vectorize(a.j, lanes);

  // Value tiles: outputs and state share the loop.
  a.output.split(a.v, vo, vi, tile, tail)
      .split(a.t, to, ti, read_rows, TailStrategy::GuardWithIf)
      .reorder(vi, ti, to, a.g, vo, a.h, a.b)
      .vectorize(vi, lanes)
      .unroll(vi)
      .unroll(ti);
  a.final_state.split(a.v, vo, vi, tile, tail)
      .split(a.c, co, ci, write_rows, TailStrategy::GuardWithIf)
      .reorder(vi, ci, co, vo, a.h, a.b)
      .vectorize(vi, lanes)
      .unroll(vi)
      .unroll(ci)
      .compute_with(a.output, vo);

  // A tile of the state, copied: any V, so that what is past its columns is dealt with once; few registers, since rows
  // are loaded often and a load across two lines costs two.
  if (a.any || few_registers) {
    a.state.compute_at(a.output, vo).bound_extent(a.v, tile).vectorize(a.v, lanes).unroll(a.v);
  }

  // A tile of `rows` by `vectors` accumulators with its loop over `sum` outside.
  auto accumulate = [&](Func f, Func consumer, const Var &at, const Var &row, int unroll, int stage = 0) {
    RVar sum = f.rvars(stage)[0];
    f.compute_at(consumer, at).vectorize(a.v, lanes).unroll(a.v).unroll(row);
    f.update(stage).reorder(a.v, row, sum).vectorize(a.v, lanes).unroll(a.v).unroll(row).unroll(sum, unroll);
  };

  Func reads = a.state_read.in();
  reads.compute_at(a.output, vo)
      .bound(a.t, 0, C)
      .bound_extent(a.v, tile)
      .split(a.t, to, ti, read_rows)
      .reorder(a.v, ti, to, a.r)
      .vectorize(a.v, lanes)
      .unroll(a.v)
      .unroll(ti);
  accumulate(a.state_read, reads, to, a.t, read_unroll);
  if (a.knobs.prefetch) a.prefetched.compute_at(reads, to);

  auto rows_of_tile = [&](Func f) {
    f.compute_at(a.output, vo)
        .bound(a.t, 0, C)
        .bound_extent(a.v, tile)
        .split(a.t, to, ti, read_rows)
        .reorder(a.v, ti, to)
        .vectorize(a.v, lanes)
        .unroll(a.v)
        .unroll(ti);
  };
  if (a.knobs.form == generators::Form::in_order) {
    a.residual.compute_at(a.output, vo).bound(a.t, 0, C).bound_extent(a.v, tile).vectorize(a.v, lanes).unroll(a.v);
    Func corrections = a.corrected.in();
    rows_of_tile(corrections);
    accumulate(a.corrected, corrections, to, a.t, 2);
  } else {
    a.pseudo_keys.compute_root().bound(a.t, 0, C).vectorize(a.c, lanes, TailStrategy::RoundUp);
    a.pseudo_keys.update().reorder(a.c, a.t, a.pseudo_keys.rvars(0)[0]).vectorize(a.c, lanes, TailStrategy::RoundUp);
    rows_of_tile(a.corrected);
    accumulate(a.pseudo_values, a.corrected, to, a.t, 2);
    accumulate(a.pseudo_read, a.corrected, to, a.t, read_unroll);
  }

  a.output_sum.bound_extent(a.v, tile).bound_extent(a.t, read_rows);
  accumulate(a.output_sum, a.output, to, a.t, 2);
  a.state_sum.bound_extent(a.v, tile).bound_extent(a.c, write_rows);
  accumulate(a.state_sum, a.final_state, co, a.c, 2);
}

}  // namespace sluice::schedules
