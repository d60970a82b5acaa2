// step one_pass: one trip of a head's state through memory. A sweep in memory order serves prediction and reads, then
// the state, by now in L2, is decayed and written in the same order. The fast one at any size.
//
// Order: a block of `rows` rows at a time, a strip of columns of each, on AVX-512 the whole row. What the hardware
// prefetcher sees decides how fast a state comes from memory, which is where it is in a model: with whole rows a head
// of d256 takes 10.7 us, with half rows 22.6. Columns swept down all rows would keep sums in registers; that is 5 to 15
// % faster while the state is in L2, and a third slower from memory.
//
// Prefetch in software, the next head's state while this one is written, was taken out again: 1.1 x for a state in
// memory where rows are not swept whole, but 0.6 x where L3 holds the states (128 heads).
//
// Registers: sums go to L1 and back once per block and strip, so more rows are better where registers hold a strip's
// sums for both probes (the erase key and the first query): by llvm-mca 8 rows of 8 vectors reach 89 to 100 % of the
// multiply-add limit on arm64 cores, 4 rows of 4 vectors 80 to 89, 2 rows 60. With 16 registers 2 rows are as fast as 4
// and come from memory better.
//
// Where it stops, d128 on Zen 4 with AVX-512: 6 K V operations take 0.84 us at the peak; the decay is a fourth multiply
// per element, so 1.12 us is the least, and the same two loops in intrinsics without anything around them take 1.34.
// Here it is 1.50 us with 8 heads, 1.62 with 32, 1.64 with 128 (L3), 93 % of it in the two loops, the sweep at the
// limit of multiply-adds, the write at that of stores. From memory (512 heads) it is 3.0 us: a sweep at the rate of one
// core's reads, then the write. Writing one head while the next is swept, in one loop, overlaps the two, but in
// intrinsics that is up to a quarter slower in cache and 1.5 x from memory, whichever rows of the two are paired.
#include "runtime/kernel.h"
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

int rows_of_block(const Step &s, const Machine &machine, int vectors) {
  if (s.any) return 4;
  if (machine.registers == 16) return s.head_dim <= 128 ? 2 : 1;
  return vectors <= 8 ? 8 : 4;
}

void apply(Step &s, const Machine &machine, const Tuning &tuning) {
  const int lanes = machine.lanes;
  // Columns of a strip: a whole row if vectors are long enough for that. Any V: a vector, so that only the last one is
  // a ragged one.
  const int vectors = s.any ? 1 : std::min(s.head_dim / lanes, tuning.get("strip", lanes == 16 ? 16 : 8));
  const int strip = vectors * lanes;
  const int cut_strip = std::min(strip, kColumnUnit);  // longer strips are for whole heads
  _halide_user_assert(s.any || (divides(strip, s.head_dim) && divides(cut_strip, kColumnUnit)))
      << "strip: " << vectors << " vectors of " << lanes << " columns; expected a divisor of " << s.head_dim
      << " columns, and of " << kColumnUnit << " or more\n";
  const int rows = tuning.get("rows", rows_of_block(s, machine, vectors));
  Var vo("vo"), vi("vi"), ro("ro"), ri("ri");
  RVar channel = s.sweep.rvars(0)[0], block("block"), row("row");

  prepare_rows(s, machine);
  vectorize_channels(s.decayed_probe, s.c, machine);
  s.decayed_probe.reorder_storage(s.c, s.r, s.h, s.b);
  s.key_probe.compute_root();
  sum_in_lanes(s.key_probe, s.r, machine);

  const auto in_strips = [&](Stage stage, const auto &schedule) {
    if (strip > cut_strip) schedule(stage.specialize(s.value_dim == s.head_dim), strip);
    schedule(stage, cut_strip);
  };

  Func sums = s.sweep.in();
  sums.compute_root()
      .split(s.r, ro, ri, 2, TailStrategy::RoundUp)
      .reorder(s.v, ri, ro, s.h, s.b)
      .vectorize(s.v, lanes, TailStrategy::RoundUp)
      .unroll(ri);
  s.sweep.compute_at(sums, ro).align_bounds(s.v, cut_strip).vectorize(s.v, lanes).unroll(s.r);
  in_strips(s.sweep.update(), [&](Stage stage, int columns) {
    stage.split(s.v, vo, vi, columns)
        .split(channel, block, row, rows)
        .reorder(vi, s.r, row, vo, block, s.h, s.b)
        .vectorize(vi, lanes)
        .unroll(vi)
        .unroll(s.r)
        .unroll(row);
  });

  s.correction.compute_root().vectorize(s.v, lanes, TailStrategy::RoundUp);
  if (!s.any) {
    // V is K at most: known sizes come from the stack.
    for (Func row : {s.sweep, s.correction}) row.bound_storage(s.v, s.padded_channels);
  }
  s.output.vectorize(s.v, lanes, value_tail(s.any));
  in_strips(s.final_state, [&](Stage stage, int columns) {
    stage.split(s.v, vo, vi, columns, value_tail(s.any)).reorder(vi, vo, s.c, s.h, s.b).vectorize(vi, lanes).unroll(vi);
  });
}

const Register<Step> registered("one_pass", {knobs, apply});

}  // namespace
}  // namespace sluice::schedules
