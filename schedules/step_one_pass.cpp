// step one_pass: one trip of the state through memory. Per tile of the value dim, one sweep serves prediction and
// reads, then the tile is decayed and written. The fast one at any size.
//
// Registers: `vectors` columns x 2 probes (the erase key and the first query) accumulate while a state row is loaded
// once: 8 accumulators of 16 registers. With 2 columns the loop waits for its adds (0.8 x), with 8 it spills (0.7 x).
// L1: a tile is K x vectors x lanes x 4 bytes, 16 KiB at d128; its rows are 512 bytes apart, so a part of it is read
// again from L2 by the write. The loop order leaves nothing to fetch twice from memory: a state larger than the caches
// runs at the speed of memory.
#include "schedules/parts.h"
#include "schedules/registry.h"

namespace sluice::schedules {
namespace {

using namespace Halide;

Step::Knobs knobs(const Machine &machine, const Tuning &) {
  Step::Knobs k;
  k.read = generators::Read::old_state;
  k.channel_multiple = machine.lanes;
  return k;
}

void apply(Step &s, const Machine &machine, const Tuning &tuning) {
  const int lanes = machine.lanes;
  const int tile = tuning.get("vectors", 4) * lanes;
  const int unroll = tuning.get("unroll", 4);
  const TailStrategy tail = value_tail(s.any);
  Var vo("vo"), vi("vi"), ro("ro"), ri("ri");

  prepare_rows(s, machine);
  vectorize_channels(s.decayed_probe, s.c, machine);
  s.decayed_probe.reorder_storage(s.c, s.r, s.h, s.b);
  s.key_probe.compute_root();
  sum_in_lanes(s.key_probe, s.r, machine);

  s.output.split(s.v, vo, vi, tile, tail).reorder(vi, s.t, s.g, vo, s.h, s.b).vectorize(vi, lanes).unroll(vi);
  s.final_state.split(s.v, vo, vi, tile, tail)
      .reorder(vi, s.c, vo, s.h, s.b)
      .vectorize(vi, lanes)
      .unroll(vi)
      .unroll(s.c, tuning.get("write_unroll", 4), TailStrategy::GuardWithIf)
      .compute_with(s.output, vo);

  if (s.any) s.state.compute_at(s.output, vo).bound_extent(s.v, tile).vectorize(s.v, lanes);
  s.correction.compute_at(s.output, vo).bound_extent(s.v, tile).vectorize(s.v, lanes).unroll(s.v);

  Func sums = s.sweep.in();
  sums.compute_at(s.output, vo)
      .bound_extent(s.v, tile)
      .split(s.r, ro, ri, 2, TailStrategy::RoundUp)
      .vectorize(s.v, lanes)
      .unroll(s.v)
      .unroll(ri);
  sums.reorder(s.v, ri, ro, s.h, s.b);
  RVar channel = s.sweep.rvars(0)[0];
  s.sweep.compute_at(sums, ro).vectorize(s.v, lanes).unroll(s.v).unroll(s.r);
  s.sweep.update()
      .reorder(s.v, s.r, channel, s.h, s.b)
      .vectorize(s.v, lanes)
      .unroll(s.v)
      .unroll(s.r)
      .unroll(channel, unroll);
}

const Register<Step> registered("one_pass", {knobs, apply});

}  // namespace
}  // namespace sluice::schedules
