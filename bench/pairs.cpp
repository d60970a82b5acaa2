#include "bench/pairs.h"

#include <algorithm>
#include <cmath>

#include "bench/affinity.h"

namespace sluice::bench {
namespace {

// A contender at its place: pinned if it has one worker, long enough samples, its roof beside it.
class Seat {
 public:
  Seat(const Setting &setting, const PairOptions &options)
      : cpu_(options.cpu >= 0 ? options.cpu : usable_cpus().back()), pinned_(setting.workers == 1) {
    take();
    contender_ = make_contender(setting);
    roof_ = std::make_unique<Roof>(contender_->workload(), setting, contender_->isa());
    contender_->seconds(1);
    const double once = contender_->seconds(1);
    runs_ = static_cast<int>(std::clamp(std::ceil(options.sample_seconds / once), 1.0, 1e6));
  }

  double sample() {
    take();
    // The other side has emptied the caches; a run that fills the sample alone would not notice.
    if (runs_ > 1) contender_->seconds(1);
    const double seconds = contender_->seconds(runs_);
    seconds_.push_back(seconds);
    return contender_->workload().operations() / seconds;
  }

  void measure_roof() {
    take();
    const double roof = roof_->measure().longer();
    roof_share_.push_back(roof / seconds_.back());
  }

  Side summary() const {
    const double seconds = median_interval(seconds_).median;
    const Workload &workload = contender_->workload();
    return {describe(contender_->setting()), contender_->kernel(), seconds / workload.token_heads() * 1e9,
            workload.operations() / seconds * 1e-9, median_interval(roof_share_)};
  }

 private:
  void take() const {
    if (pinned_) {
      pin_to(cpu_);
    } else {
      unpin();
    }
  }

  int cpu_;
  bool pinned_;
  int runs_ = 1;
  std::unique_ptr<Contender> contender_;
  std::unique_ptr<Roof> roof_;
  std::vector<double> seconds_, roof_share_;
};

}  // namespace

PairResult compare(const Setting &a, const Setting &b, const PairOptions &options) {
  Seat first(a, options), second(b, options);
  std::vector<double> ratios;
  for (int i = 0; i < options.pairs; ++i) {
    // In alternating order: what drifts meanwhile favours neither.
    double rate_a = 0, rate_b = 0;
    if (i % 2 == 0) {
      rate_a = first.sample();
      rate_b = second.sample();
    } else {
      rate_b = second.sample();
      rate_a = first.sample();
    }
    first.measure_roof();
    second.measure_roof();
    ratios.push_back(rate_a / rate_b);
  }
  unpin();
  return {options.pairs, first.summary(), second.summary(), median_interval(ratios)};
}

}  // namespace sluice::bench
