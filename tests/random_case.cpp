#include "tests/random_case.h"

namespace sluice::test {

Case random_case(std::uint64_t seed) {
  Pick pick(seed);
  Case c;
  c.seed = seed;
  c.rule = pick.of(all_rules);
  c.shape.B = pick.between(1, 2);
  c.shape.T = pick.one_in(4) ? pick.between(0, 1) : pick.between(2, 70);
  const HeadCounts heads = pick.of(head_groupings);
  c.shape.Hq = heads.Hq;
  c.shape.Hk = heads.Hk;
  c.shape.Hs = heads.Hs;
  if (pick.one_in(3)) {
    const std::int64_t constant[] = {64, 64, 128, 256};
    c.shape.K = c.shape.V = pick.of(constant);
  } else {
    c.shape.K = pick.between(1, 140);
    c.shape.V = pick.between(1, 140);
  }
  // A head of a few numbers can cancel to nearly 0, where a relative error means nothing.
  if (c.shape.K * c.shape.V < 32 || c.shape.T * c.shape.V < 32) c.shape.V += 32;
  c.head_map = pick.one_in(2) ? SLUICE_HEAD_MAP_DIVIDE : SLUICE_HEAD_MAP_MODULO;
  constexpr Gate gates[] = {Gate::ordinary, Gate::one,  Gate::zero,       Gate::tiny,
                            Gate::small,    Gate::wide, Gate::zero_or_one};
  c.gate = pick.of(gates);
  c.gate_kind = pick.one_in(2) ? SLUICE_GATE_DECAY : SLUICE_GATE_LOG_DECAY;
  // Without writes a state only decays; where it decays below the smallest float there is nothing to compare.
  constexpr Beta betas[] = {Beta::ordinary, Beta::one, Beta::up_to_two};
  c.beta = c.gate == Gate::one && pick.one_in(4) ? Beta::zero : pick.of(betas);
  const bool initial_state = !pick.one_in(4);
  // Where nothing is remembered an output is (q.k) z, and q.k of a few tokens may cancel just so.
  const bool few = c.shape.T < 8;
  if (few) c.gate = pick.one_in(2) ? Gate::ordinary : Gate::one;
  c.initial_state = few || initial_state;
  c.l2norm = pick.one_in(3);
  c.scale = pick.one_in(20) ? 0.0F : 0.1F + 0.01F * static_cast<float>(pick.between(0, 200));
  c.final_state = !pick.one_in(4);
  constexpr Layout layouts[] = {Layout::bhtd, Layout::bthd, Layout::packed, Layout::broadcast, Layout::reversed};
  c.layout = pick.of(layouts);
  constexpr Placement placements[] = {Placement::start, Placement::offset, Placement::end};
  c.placement = pick.of(placements);
  return c;
}

}  // namespace sluice::test
