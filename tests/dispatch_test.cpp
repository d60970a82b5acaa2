// Which kernel runs: the dispatcher's choice, the caller's wishes, and what happens to wishes that cannot be met.
#include "runtime/dispatch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "runtime/cpu.h"
#include "runtime/kernel_table.h"
#include "tests/process.h"
#include "tests/run.h"

namespace sluice::test {
namespace {

// Each ISA can do what those before it can.
std::ptrdiff_t rank(const std::string &isa) {
  const std::vector<std::string> all = {"base", "avx2", "avx512", "neon"};
  return std::find(all.begin(), all.end(), isa) - all.begin();
}

const sluice_kernel_info &row_named(const std::vector<sluice_kernel_info> &rows, const std::string &name) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto &r) { return name == r.name; });
  if (row == rows.end()) throw std::runtime_error("no row is called " + name);
  return *row;
}

Case plain(sluice_rule rule, std::int64_t T, std::int64_t K, std::int64_t V) {
  Case c;
  c.rule = rule;
  c.shape = {1, T, 1, 1, 2, K, V};
  return c;
}

sluice_plan plan_of(const ContextSetup &setup, const Case &c) {
  Problem problem(c);
  return plan(make_context(setup).get(), problem.args());
}

// What context creation, or the first call, says to a setup that cannot work; "" if it works.
std::pair<sluice_status, std::string> refusal_of(const ContextSetup &setup, const Case &c) {
  sluice_context_options options;
  sluice_context_options_init(&options);
  options.kernel = setup.kernel.c_str();
  options.schedule = setup.schedule.c_str();
  options.isa = setup.isa.c_str();
  sluice_context *context = nullptr;
  sluice_status status = sluice_context_create(&options, &context);
  if (status != SLUICE_OK) return {status, sluice_error_message(nullptr)};
  const Context owner(context);
  Problem problem(c);
  const sluice_gated_delta_rule_args args = problem.args();
  const Result untouched{gather(args.output), gather(args.final_state)};
  status = sluice_gated_delta_rule(context, &args);
  if (status != SLUICE_OK) {
    EXPECT_TRUE(same_bits(untouched, {gather(args.output), gather(args.final_state)}));
  }
  return {status, sluice_error_message(context)};
}

TEST(KernelTable, IsWhatTheInterfaceLists) {
  const std::vector<sluice_kernel_info> rows = all_rows();
  ASSERT_EQ(rows.size(), kernel_table().size());
  ASSERT_GT(rows.size(), 0U);
  std::set<std::string> names;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const sluice_kernel_info &row = rows[i];
    EXPECT_STREQ(row.name, kernel_table()[i].name);
    const std::string size = row.head_dim == 0 ? "any" : std::to_string(row.head_dim);
    EXPECT_EQ(std::string(row.name), std::string("sluice_") + row.op + "_" + row.rule + "_" + row.dtype + "_d" + size +
                                         "_" + row.schedule + "_" + row.isa);
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " is there twice";
    const bool step = std::string(row.op) == "step";
    EXPECT_TRUE(step ? row.chunk_length == 1 : row.chunk_length > 1) << row.name;
    EXPECT_TRUE(step ? row.min_chunk_rows == 1 : row.min_chunk_rows >= 2) << row.name;
  }
}

TEST(KernelTable, HasAnIndexBeyondWhichThereIsNothing) {
  sluice_kernel_info info{};
  info.struct_size = sizeof info;
  EXPECT_EQ(sluice_kernel_at(sluice_kernel_count(), &info), SLUICE_INVALID_ARGUMENT);
  EXPECT_EQ(sluice_kernel_at(0, nullptr), SLUICE_INVALID_ARGUMENT);
  info.struct_size = 4;
  EXPECT_EQ(sluice_kernel_at(0, &info), SLUICE_INVALID_ARGUMENT);
}

TEST(KernelTable, ShipsEveryRuleForAnySize) {
  for (const sluice_rule rule : all_rules) {
    std::set<std::string> ops;
    for (const sluice_kernel_info &row : rows_for(rule, 33, 65)) {
      if (std::string(row.set) == "ship") ops.insert(row.op);
    }
    EXPECT_EQ(ops, (std::set<std::string>{"chunk", "step"})) << rule_name(rule);
  }
}

TEST(Dispatch, TakesTheFirstRowOfTheTableThatFits) {
  const std::vector<sluice_kernel_info> rows = all_rows();
  for (const sluice_rule rule : all_rules) {
    for (const HeadSize size : {HeadSize{64, 64}, {128, 128}, {256, 256}, {128, 64}, {60, 100}}) {
      for (const std::string &isa : isas()) {
        ContextSetup setup;
        setup.isa = isa;
        const sluice_plan plan = plan_of(setup, plain(rule, 17, size.K, size.V));
        for (const std::string op : {"chunk", "step"}) {
          const std::vector<sluice_kernel_info> fitting = rows_for(rule, size.K, size.V);
          const auto first = std::find_if(fitting.begin(), fitting.end(), [&](const sluice_kernel_info &row) {
            return op == row.op && rank(row.isa) <= rank(isa);
          });
          ASSERT_NE(first, fitting.end());
          EXPECT_STREQ(op == "chunk" ? plan.chunk_kernel : plan.step_kernel, first->name);
        }
      }
    }
  }
}

TEST(Dispatch, PlansChunksAndStepsByTheRaggedEnd) {
  for (const sluice_rule rule : all_rules) {
    const sluice_plan full = plan_of({}, plain(rule, 64, 128, 128));
    const std::int64_t C = full.chunk_length, r0 = full.min_chunk_rows;
    ASSERT_GT(C, 1);
    ASSERT_GE(r0, 2);
    const struct {
      std::int64_t T;
      bool chunk, step;
    } table[] = {{0, false, false},    {1, false, true},       {r0 - 1, false, true},    {r0, true, false},
                 {C, true, false},     {C + 1, true, true},    {C + r0 - 1, true, true}, {C + r0, true, false},
                 {3 * C, true, false}, {3 * C + 1, true, true}};
    for (const auto &row : table) {
      const sluice_plan plan = plan_of({}, plain(rule, row.T, 128, 128));
      EXPECT_EQ(plan.chunk_kernel != nullptr, row.chunk) << "T = " << row.T;
      EXPECT_EQ(plan.step_kernel != nullptr, row.step) << "T = " << row.T;
      EXPECT_EQ(plan.chunk_length, C);
      EXPECT_EQ(plan.min_chunk_rows, r0);
    }
  }
}

TEST(Dispatch, HasATaskPerHead) {
  Case c = plain(SLUICE_KDA, 64, 128, 128);
  c.shape.B = 3;
  EXPECT_EQ(plan_of({}, c).tasks, 6);
}

TEST(Dispatch, SplitsTheValueDimWhereHeadsAreFewerThanWorkers) {
  for (const sluice_rule rule : all_rules) {
    for (const std::int64_t T : {1, 64}) {
      Case c = plain(rule, T, 128, 128);
      c.shape.Hs = 1;
      EXPECT_EQ(plan_of({}, c).tasks, 1);
      ContextSetup setup;
      setup.workers = 2;
      EXPECT_EQ(plan_of(setup, c).tasks, 2);
    }
  }
}

TEST(Dispatch, ForcedKernelRunsTheWholeCall) {
  for (const sluice_rule rule : all_rules) {
    for (const sluice_kernel_info &row : rows_for(rule, 128, 128)) {
      SCOPED_TRACE(row.name);
      ContextSetup setup;
      setup.kernel = row.name;
      const bool step = std::string(row.op) == "step";
      for (const std::int64_t T : {1, 16, 17, 35}) {
        const sluice_plan plan = plan_of(setup, plain(rule, T, 128, 128));
        ASSERT_STREQ(step ? plan.step_kernel : plan.chunk_kernel, row.name);
        EXPECT_EQ(step ? plan.chunk_kernel : plan.step_kernel, nullptr);
        EXPECT_EQ(plan.chunk_length, row.chunk_length);
      }
    }
  }
}

TEST(Dispatch, ForcedKernelThatDoesNotFitIsRefused) {
  for (const sluice_kernel_info &row : all_rows()) {
    SCOPED_TRACE(row.name);
    ContextSetup setup;
    setup.kernel = row.name;
    const sluice_rule other = std::string(row.rule) == "kda" ? SLUICE_GDN : SLUICE_KDA;
    const auto refused = refusal_of(setup, plain(other, 5, 128, 128));
    EXPECT_EQ(refused.first, SLUICE_UNSUPPORTED);
    EXPECT_NE(refused.second.find(row.name), std::string::npos) << refused.second;
    if (row.head_dim == 0 || row.runnable == 0) continue;
    const sluice_rule own = std::string(row.rule) == "gdn"   ? SLUICE_GDN
                            : std::string(row.rule) == "kda" ? SLUICE_KDA
                                                             : SLUICE_GDN2;
    const auto size = refusal_of(setup, plain(own, 5, 40, 48));
    EXPECT_EQ(size.first, SLUICE_UNSUPPORTED);
    EXPECT_NE(size.second.find(row.name), std::string::npos) << size.second;
    EXPECT_NE(size.second.find("40"), std::string::npos) << size.second;
  }
}

TEST(Dispatch, KernelAboveThisCpuIsRefused) {
  int refused = 0;
  for (const sluice_kernel_info &row : all_rows()) {
    if (row.runnable != 0) continue;
    ContextSetup setup;
    setup.kernel = row.name;
    const auto [status, message] = refusal_of(setup, plain(SLUICE_KDA, 5, 128, 128));
    EXPECT_EQ(status, SLUICE_UNSUPPORTED);
    EXPECT_NE(message.find(row.name), std::string::npos) << message;
    ++refused;
  }
  if (refused == 0) GTEST_SKIP() << "this CPU runs every kernel";
}

// On x86-64 without SSE4.1, on arm64 without ASIMD.
TEST(Dispatch, CpuThatRunsNoKernelIsAnError) {
  for (const IsaSupport &cpu : {decode_cpuid(CpuidWords{}), decode_hwcap(~(std::uint64_t{1} << 1))}) {
    Preferences preferences;
    preferences.cpu = cpu;
    sluice::Problem problem;
    problem.rule = Rule::kda, problem.key_dim = problem.value_dim = 128;
    KernelChoice choice;
    Message message;
    EXPECT_EQ(choose_kernels(problem, preferences, &choice, message), SLUICE_UNSUPPORTED);
    EXPECT_EQ(choice.chunk, nullptr);
    EXPECT_EQ(choice.step, nullptr);
    EXPECT_STREQ(message.text(), "rule: no kernel of this build does kda with K = 128 and V = 128 on this CPU");
  }
}

TEST(Dispatch, IsaOfAnotherArchitectureIsRefused) {
  const std::vector<std::string> own = isas();
  ContextSetup setup;
  setup.isa = std::find(own.begin(), own.end(), "neon") == own.end() ? "neon" : "avx2";
  const auto [status, message] = refusal_of(setup, plain(SLUICE_KDA, 5, 128, 128));
  EXPECT_EQ(status, SLUICE_INVALID_ARGUMENT);
  EXPECT_NE(message.find("isa: \"" + setup.isa + "\" is not of this architecture; expected"), std::string::npos)
      << message;
}

TEST(Dispatch, UnknownKernelIsRefused) {
  ContextSetup setup;
  setup.kernel = "sluice_step_kda_f32_d128_perfect_base";
  const auto [status, message] = refusal_of(setup, plain(SLUICE_KDA, 5, 128, 128));
  EXPECT_EQ(status, SLUICE_UNSUPPORTED);
  EXPECT_NE(message.find(setup.kernel), std::string::npos) << message;
}

TEST(Dispatch, UnknownScheduleAndIsaListTheKnownOnes) {
  ContextSetup setup;
  setup.schedule = "perfect";
  auto refused = refusal_of(setup, plain(SLUICE_KDA, 5, 128, 128));
  EXPECT_EQ(refused.first, SLUICE_INVALID_ARGUMENT);
  EXPECT_NE(refused.second.find("perfect"), std::string::npos) << refused.second;
  for (const sluice_kernel_info &row : all_rows()) {
    EXPECT_NE(refused.second.find(row.schedule), std::string::npos) << refused.second;
  }
  setup = ContextSetup();
  setup.isa = "sse9";
  refused = refusal_of(setup, plain(SLUICE_KDA, 5, 128, 128));
  EXPECT_EQ(refused.first, SLUICE_INVALID_ARGUMENT);
  EXPECT_NE(refused.second.find("sse9"), std::string::npos) << refused.second;
  for (const std::string &isa : isas()) EXPECT_NE(refused.second.find(isa), std::string::npos) << refused.second;
}

TEST(Dispatch, ScheduleIsPreferredForItsOpAndTheOtherKeepsItsDefault) {
  const std::vector<sluice_kernel_info> rows = all_rows();
  for (const sluice_rule rule : all_rules) {
    const sluice_plan usual = plan_of({}, plain(rule, 17, 128, 128));
    for (const sluice_kernel_info &row : rows_for(rule, 128, 128)) {
      SCOPED_TRACE(row.schedule);
      ContextSetup setup;
      setup.schedule = row.schedule;
      const sluice_plan plan = plan_of(setup, plain(rule, 17, 128, 128));
      const auto has = [&](const char *op) {
        return std::any_of(rows.begin(), rows.end(), [&](const sluice_kernel_info &other) {
          return std::string(other.op) == op && std::string(other.schedule) == row.schedule;
        });
      };
      if (has("chunk")) {
        EXPECT_STREQ(row_named(rows, plan.chunk_kernel).schedule, row.schedule);
      } else {
        EXPECT_STREQ(plan.chunk_kernel, usual.chunk_kernel);
      }
      if (has("step")) {
        EXPECT_STREQ(row_named(rows, plan.step_kernel).schedule, row.schedule);
      } else {
        EXPECT_STREQ(plan.step_kernel, usual.step_kernel);
      }
    }
  }
}

// A gdn step row for any size that is not the dispatcher's choice.
std::string unusual_step() {
  const std::vector<sluice_kernel_info> rows = rows_of(SLUICE_GDN, 0);
  const auto last = std::find_if(rows.rbegin(), rows.rend(), [](const auto &r) { return std::string(r.op) == "step"; });
  return last == rows.rend() ? "" : last->name;
}

// The variables are read once per process: each test needs a process of its own.
TEST(Environment, IsaNarrowsTheChoice) {
  const std::string lowest = isas().front();
  const Outcome narrow = run_program({"run", "--json", data_file("a06_gdn_t1")}, {"SLUICE_ISA=" + lowest});
  ASSERT_EQ(narrow.status, 0) << narrow.messages;
  EXPECT_NE(narrow.out.find("_" + lowest + "\""), std::string::npos) << narrow.out;
}

TEST(Environment, KernelForcesOne) {
  const Outcome usual = run_program({"run", "--json", data_file("a08_gdn_t16_noinit_raw")});
  EXPECT_EQ(usual.out.find(unusual_step()), std::string::npos) << usual.out;
  const Outcome forced =
      run_program({"run", "--json", data_file("a08_gdn_t16_noinit_raw")}, {"SLUICE_KERNEL=" + unusual_step()});
  ASSERT_EQ(forced.status, 0) << forced.messages;
  EXPECT_NE(forced.out.find("\"" + unusual_step() + "\""), std::string::npos) << forced.out;
}

TEST(Environment, UnknownNamesAreErrors) {
  const Outcome isa = run_program({"run", data_file("a06_gdn_t1")}, {"SLUICE_ISA=sse9"});
  EXPECT_EQ(isa.status, 2);
  EXPECT_NE(isa.messages.find("sse9"), std::string::npos) << isa.messages;
  const Outcome kernel = run_program({"run", data_file("a06_gdn_t1")}, {"SLUICE_KERNEL=perfect"});
  EXPECT_EQ(kernel.status, 2);
  EXPECT_NE(kernel.messages.find("perfect"), std::string::npos) << kernel.messages;
}

TEST(Environment, OptionsOfTheContextWin) {
  const Outcome chosen =
      run_program({"run", "--json", "--kernel", unusual_step(), data_file("a06_gdn_t1")},
                  {"SLUICE_KERNEL=" + std::string(rows_of(SLUICE_GDN, 0).front().name), "SLUICE_ISA=" + isas().back()});
  ASSERT_EQ(chosen.status, 0) << chosen.messages;
  EXPECT_NE(chosen.out.find("\"" + unusual_step() + "\""), std::string::npos) << chosen.out;
}

}  // namespace
}  // namespace sluice::test
