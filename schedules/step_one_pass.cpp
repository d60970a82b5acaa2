// step one_pass: one trip of a head's state through memory. A sweep in memory order serves prediction and reads, then
// the state, by now in L2, is decayed and written in the same order. The fast one at any size.
//
// Order: a block of `rows` whole rows at a time, so that a prefetcher sees one stream. Sweeping a tile of columns down
// all rows instead keeps sums in registers and wins 5 to 15 % while the state is in L2, but loses 25 % to a state that
// comes from memory, which is what a model's layers do.
// Registers: `strip` vectors of columns x 2 probes (the erase key and the first query), and a broadcast for each row
// and probe; sums go to L1 and back once per block. By llvm-mca 80 to 89 % of the multiply-add limit on arm64 cores, 60
// to 66 % with 2 rows; 8 rows are no better.
// Next head: while the state is written nothing is read from memory, so every few rows the runtime fetches lines of the
// next head's state, if states are more than the caches hold: 1.1 x at 512 heads (32 MiB), 1.3 x at 128.
// Where it stops: rows of 512 bytes share a few sets of L1, so the write fetches the state from L2 again: in cache a
// step costs a sweep and a write, one after the other, at 0.4 to 0.5 of what scaling the state costs (AVX2, Zen 3).
// From memory it is 0.8 to 0.95 of that.
#include "schedules/parts.h"
#include "schedules/registry.h"

namespace sluice::schedules {
namespace {

using namespace Halide;

Step::Knobs knobs(const Machine &machine, const Tuning &tuning) {
  Step::Knobs k;
  k.read = generators::Read::old_state;
  k.channel_multiple = machine.lanes;
  k.prefetch = tuning.get("prefetch", 1) == 1;
  return k;
}

void apply(Step &s, const Machine &machine, const Tuning &tuning) {
  const int lanes = machine.lanes;
  // Any V: a vector of columns at a time, so that only the last one is a ragged one.
  const int strip = tuning.get("strip", s.any ? 1 : 4) * lanes;
  const int rows = tuning.get("rows", 4);
  const int write_strip = s.any ? lanes : tuning.get("write_columns", 64);
  Var vo("vo"), vi("vi"), ro("ro"), ri("ri"), co("co"), ci("ci");
  RVar channel = s.sweep.rvars(0)[0], block("block"), row("row");

  prepare_rows(s, machine);
  vectorize_channels(s.decayed_probe, s.c, machine);
  s.decayed_probe.reorder_storage(s.c, s.r, s.h, s.b);
  s.key_probe.compute_root();
  sum_in_lanes(s.key_probe, s.r, machine);

  Func sums = s.sweep.in();
  sums.compute_root()
      .split(s.r, ro, ri, 2, TailStrategy::RoundUp)
      .reorder(s.v, ri, ro, s.h, s.b)
      .vectorize(s.v, lanes, TailStrategy::RoundUp)
      .unroll(ri);
  s.sweep.compute_at(sums, ro).align_bounds(s.v, strip).vectorize(s.v, lanes).unroll(s.r);
  s.sweep.update()
      .split(s.v, vo, vi, strip)
      .split(channel, block, row, rows)
      .reorder(vi, s.r, row, vo, block, s.h, s.b)
      .vectorize(vi, lanes)
      .unroll(vi)
      .unroll(s.r)
      .unroll(row);

  s.correction.compute_root().vectorize(s.v, lanes, TailStrategy::RoundUp);
  if (!s.any) {
    // V is K at most: known sizes come from the stack.
    for (Func row : {s.sweep, s.correction}) row.bound_storage(s.v, s.padded_channels);
  }
  s.output.vectorize(s.v, lanes, value_tail(s.any));
  s.final_state.split(s.v, vo, vi, write_strip, value_tail(s.any))
      .split(s.c, co, ci, tuning.get("write_rows", 4), TailStrategy::GuardWithIf)
      .reorder(vi, vo, ci, co, s.h, s.b)
      .vectorize(vi, lanes)
      .unroll(vi);
  if (s.knobs.prefetch) s.prefetched.compute_at(s.final_state, co);
}

const Register<Step> registered("one_pass", {knobs, apply});

}  // namespace
}  // namespace sluice::schedules
