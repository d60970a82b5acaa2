// Benchmarks: every kernel of the table that this CPU runs, whole-operator calls, baselines, and the machine's limits
// beside each. Compare ratios within one run only; sluice_pairs compares two things with an interval.
#include <benchmark/benchmark.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "bench/affinity.h"
#include "bench/baseline/baseline.h"
#include "bench/contender.h"
#include "bench/machine.h"
#include "program/emulated.h"
#include "sluice/sluice.h"
#include "tests/shapes.h"
#ifdef SLUICE_HAVE_STUDY
#include "runtime/study.h"
#endif

namespace {

using sluice::bench::Contender;
using sluice::bench::Roof;
using sluice::bench::Setting;

// Google Benchmark calls a function several times to find how often to run it; large problems take long to make.
Contender &contender_for(const Setting &setting) {
  static std::pair<std::string, std::unique_ptr<Contender>> latest;
  const std::string name = describe(setting);
  if (latest.first != name) {
    latest = {};
    latest = {name, make_contender(setting)};
  }
  return *latest.second;
}

void time(benchmark::State &state, const Setting &setting) {
  if (setting.workers == 1) {
    sluice::bench::pin_to(sluice::bench::usable_cpus().back());
  } else {
    sluice::bench::unpin();
  }
  try {
    Contender &contender = contender_for(setting);
    Roof roof(contender.workload(), setting, contender.isa());
    contender.seconds(1);
    const Roof::Seconds before = roof.measure();
    double seconds = 0;
    for (auto _ : state) {
      const double once = contender.seconds(1);
      state.SetIterationTime(once);
      seconds += once;
    }
    const Roof::Seconds after = roof.measure();
    seconds /= static_cast<double>(state.iterations());

    const auto &workload = contender.workload();
    state.counters["ns/token/head"] = seconds / workload.token_heads() * 1e9;
    state.counters["GFLOP/s"] = workload.operations() / seconds * 1e-9;
    state.counters["GB/s"] = workload.bytes() / seconds * 1e-9;
    state.counters["arithmetic%"] = 50 * (before.arithmetic + after.arithmetic) / seconds;
    state.counters["stream%"] = 50 * (before.stream + after.stream) / seconds;
    state.counters["roof%"] = 50 * (before.longer() + after.longer()) / seconds;
    state.SetLabel(contender.kernel());
  } catch (const std::exception &problem) {
    state.SkipWithError(problem.what());
  }
}

void add(const std::string &group, const std::string &text) {
  Setting setting;
  apply(text, setting);
  benchmark::RegisterBenchmark((group + "/" + describe(setting)).c_str(),
                               [setting](benchmark::State &state) { time(state, setting); })
      ->Unit(benchmark::kMicrosecond)
      ->UseManualTime();
}

// The shapes that a row of the table is for.
void add_row(const sluice_kernel_info &row) {
  const std::string name = row.name;
  const auto at_size = [&](const std::string &size) {
    if (std::string(row.op) == "step") {
      for (const int heads : sluice::test::decode_heads) {
        const std::string shape = name + size + ",T=1,heads=" + std::to_string(heads);
        add("decode", shape);
        add("decode", shape + ",state=apart");
      }
    } else {
      for (const int T : sluice::test::prefill_tokens) {
        add("prefill",
            name + size + ",heads=" + std::to_string(sluice::test::prefill_heads) + ",T=" + std::to_string(T));
      }
    }
  };
  if (row.head_dim != 0) {
    at_size("");
  } else {
    for (const sluice::test::HeadSize &size : sluice::test::benchmarked_any_sizes) {
      at_size(",K=" + std::to_string(size.K) + ",V=" + std::to_string(size.V));
    }
  }
}

// Whole calls, as an application makes them: the dispatcher's choice, 1 and 2 workers.
void add_operator() {
  for (const char *rule : {"gdn", "kda", "gdn2"}) {
    for (const int D : sluice::test::model_head_dims) {
      for (const int workers : {1, 2}) {
        const std::string common =
            "sluice,rule=" + std::string(rule) + ",D=" + std::to_string(D) + ",workers=" + std::to_string(workers);
        for (const int heads : sluice::test::decode_heads) {
          add("operator", common + ",T=1,heads=" + std::to_string(heads));
        }
        for (const int T : sluice::test::prefill_tokens) {
          const std::string prefill = common + ",T=" + std::to_string(T);
          add("operator", prefill + ",heads=" + std::to_string(sluice::test::prefill_heads));
        }
        add("operator", common + ",T=512,heads=1");
        add("operator", common + ",align=16,T=1,heads=32");
        add("operator", common + ",align=16,T=512,heads=" + std::to_string(sluice::test::prefill_heads));
      }
    }
  }
  for (const sluice::test::ModelShape &model : sluice::test::model_shapes) {
    const std::string heads = ",key_heads=" + std::to_string(model.shape.Hk);
    const std::string rule = std::string(model.name) == "kimi_linear" ? "kda" : "gdn";
    const std::string common = "sluice,rule=" + rule + ",heads=" + std::to_string(model.shape.Hs) + heads;
    add(model.name, common + ",T=1");
    add(model.name, common + ",T=512");
  }
}

void add_baselines() {
  for (const sluice::bench::Baseline &baseline : sluice::bench::baselines()) {
    const std::string name = "baseline/" + std::string(baseline.name) + ",rule=kda,D=128";
    add("baseline", name + ",T=512,heads=" + std::to_string(sluice::test::prefill_heads));
    add("baseline", name + ",T=1,heads=32");
  }
}

}  // namespace

int main(int argc, char **argv) {
#ifdef SLUICE_HAVE_STUDY
  sluice::register_study_kernels();
#endif
  for (size_t index = 0; index < sluice_kernel_count(); index++) {
    sluice_kernel_info row{};
    row.struct_size = sizeof row;
    if (sluice_kernel_at(index, &row) == SLUICE_OK && row.runnable) add_row(row);
  }
  add_operator();
  add_baselines();
  benchmark::AddCustomContext("machine", sluice::bench::machine_json().dump());
  if (sluice::emulated()) benchmark::AddCustomContext("speed", sluice::emulated_note);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
