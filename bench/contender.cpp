#include "bench/contender.h"

#include <algorithm>

#include "bench/baseline/baseline.h"
#include "bench/clock.h"
#include "runtime/cpu.h"
#include "runtime/denormals.h"
#include "runtime/kernel_table.h"

namespace sluice::bench {
namespace {

struct ContextDeleter {
  void operator()(sluice_context *context) const { sluice_context_destroy(context); }
};

const KernelRow *row_named(const std::string &name) {
  for (const KernelRow &row : kernel_table()) {
    if (name == row.name) return &row;
  }
  return nullptr;
}

class Sluice : public Contender {
 public:
  explicit Sluice(const Setting &setting) : Contender(setting) {
    const bool forced = setting.what != "sluice";
    if (forced && row_named(setting.what) == nullptr) throw NotHere(setting.what + ": not in this build");
    sluice_context_options options;
    sluice_context_options_init(&options);
    options.workers = setting.workers;
    options.kernel = forced ? setting.what.c_str() : nullptr;
    options.isa = setting.isa.empty() ? nullptr : setting.isa.c_str();
    options.schedule = setting.schedule.empty() ? nullptr : setting.schedule.c_str();
    sluice_context *context = nullptr;
    const sluice_status status = sluice_context_create(&options, &context);
    if (status == SLUICE_UNSUPPORTED) throw NotHere(sluice_error_message(nullptr));
    if (status != SLUICE_OK) throw std::runtime_error(sluice_error_message(nullptr));
    context_.reset(context);

    sluice_plan plan{};
    plan.struct_size = sizeof plan;
    check(sluice_gated_delta_rule_plan(context, &workload_.calls().front(), &plan));
    kernel_ = plan.chunk_kernel != nullptr ? plan.chunk_kernel : plan.step_kernel != nullptr ? plan.step_kernel : "";
    isa_ = Isa::base;
    for (const char *name : {plan.chunk_kernel, plan.step_kernel}) {
      if (name != nullptr) isa_ = std::max(isa_, row_named(name)->isa);
    }
  }

  double seconds(int runs) override {
    const Stopwatch watch(setting_.workers);
    for (int i = 0; i < runs; ++i) {
      for (const sluice_gated_delta_rule_args &args : workload_.calls()) {
        if (sluice_gated_delta_rule(context_.get(), &args) != SLUICE_OK) check(SLUICE_INTERNAL);
      }
    }
    return watch.seconds() / runs;
  }

 private:
  void check(sluice_status status) const {
    if (status == SLUICE_UNSUPPORTED) throw NotHere(sluice_error_message(context_.get()));
    if (status != SLUICE_OK) throw std::runtime_error(sluice_error_message(context_.get()));
  }

  std::unique_ptr<sluice_context, ContextDeleter> context_;
};

class BaselineLoop : public Contender {
 public:
  BaselineLoop(const Setting &setting, const Baseline &baseline) : Contender(setting), baseline_(baseline) {
    if (setting.workers != 1) throw std::invalid_argument("workers: a baseline has 1");
  }

  double seconds(int runs) override {
    // Without it a state that decays for long fills with denormals, and the loop would lose for that alone.
    const KernelFloatMode mode;
    const Stopwatch watch(setting_.workers);
    for (int i = 0; i < runs; ++i) {
      for (const sluice_gated_delta_rule_args &args : workload_.calls()) baseline_.run(args);
    }
    return watch.seconds() / runs;
  }

 private:
  const Baseline &baseline_;
};

Isa isa_of(const Setting &setting) {
  Isa isa = highest_isa();
  if (!setting.isa.empty() && !parse_isa(setting.isa.c_str(), &isa)) {
    throw std::invalid_argument("isa: expected base, avx2, avx512 or neon, is " + setting.isa);
  }
  if (!host_isa_support().has(isa)) throw NotHere("isa: this CPU does not run " + setting.isa);
  return isa;
}

class Limit : public Contender {
 public:
  explicit Limit(const Setting &setting) : Contender(setting), roof_(workload_, setting, isa_of(setting)) {
    isa_ = isa_of(setting);
  }

  double seconds(int runs) override {
    double sum = 0;
    for (int i = 0; i < runs; ++i) {
      if (setting_.what == "fma") sum += roof_.arithmetic();
      if (setting_.what == "stream") sum += roof_.stream();
      if (setting_.what == "roof") sum += roof_.measure().longer();
    }
    return sum / runs;
  }

 private:
  Roof roof_;
};

}  // namespace

Roof::Roof(const Workload &workload, const Setting &setting, Isa isa)
    : operations_(workload.operations()),
      workers_(setting.workers),
      sweeps_(static_cast<int>(workload.calls().size())),
      isa_(isa),
      buffer_(workload.state_floats(), setting.workload.in_place, setting.workers) {}

double Roof::arithmetic() const { return operations_ / (arithmetic_peak(isa_) * workers_); }

double Roof::stream() {
  constexpr std::size_t floats = std::size_t{4} << 20;  // a sample long enough for the clock
  buffer_.seconds(1);
  return sweeps_ * buffer_.seconds(static_cast<int>(floats / buffer_.floats()) + 1);
}

Roof::Seconds Roof::measure() { return {arithmetic(), stream()}; }

Contender::Contender(const Setting &setting) : setting_(setting), workload_(setting.workload), isa_(highest_isa()) {}

std::unique_ptr<Contender> make_contender(const Setting &setting) {
  for (const char *limit : {"stream", "fma", "roof"}) {
    if (setting.what == limit) return std::make_unique<Limit>(setting);
  }
  constexpr const char *prefix = "baseline/";
  if (setting.what.rfind(prefix, 0) == 0) {
    std::string names;
    for (const Baseline &baseline : baselines()) {
      if (setting.what == std::string(prefix) + baseline.name) return std::make_unique<BaselineLoop>(setting, baseline);
      names += (names.empty() ? "" : ", ") + std::string(baseline.name);
    }
    throw std::invalid_argument(setting.what + ": expected baseline/ and one of " + names);
  }
  return std::make_unique<Sluice>(setting);
}

}  // namespace sluice::bench
