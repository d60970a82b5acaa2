// What each schedule claims, checked in the code that Halide emitted: Halide may ignore a directive without a word.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "runtime/kernel_table.h"
#include "tests/lowered.h"

namespace sluice::testing {
namespace {

bool ends_with(const std::string &text, const std::string &end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}
bool mentions(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

// The kernels of a schedule. Every rule, head dim and instruction set of the table, whether or not this CPU runs it.
std::vector<const KernelRow *> rows_of(const std::string &schedule) {
  std::vector<const KernelRow *> rows;
  for (const KernelRow &row : kernel_table()) {
    if (schedule == row.schedule) rows.push_back(&row);
  }
  return rows;
}

class Schedules : public ::testing::Test {
 protected:
  template <typename Check>
  void for_each_kernel(const std::string &schedule, Check check) {
    const auto rows = rows_of(schedule);
    if (rows.empty()) GTEST_SKIP() << "this build has no kernels of schedule " << schedule;
    for (const KernelRow *row : rows) {
      SCOPED_TRACE(row->name);
      check(Lowered(std::string(SLUICE_KERNEL_DIR) + "/" + row->name + ".stmt"), *row);
    }
  }

  // Each sweep over the state: the Funcs whose loops touch it, all of them at root.
  static std::multiset<std::string> sweeps(const Lowered &code, const std::vector<std::string> &states) {
    std::set<std::string> funcs;
    for (const std::string &state : states) {
      for (const Statement &s : code.touching(state)) funcs.insert(s.produced.back());
    }
    return {funcs.begin(), funcs.end()};
  }
  // The named Funcs, or all.
  static void expect_at_root(const Lowered &code, const std::set<std::string> &funcs = {}) {
    std::size_t found = 0;
    for (const Statement &s : code.produces()) {
      if (!funcs.empty() && funcs.count(s.text.substr(8, s.text.find(' ', 8) - 8)) == 0) continue;
      found++;
      EXPECT_TRUE(s.loops.empty()) << s.text << " is inside a loop";
    }
    EXPECT_GE(found, std::max<std::size_t>(funcs.size(), 1));
  }
};

TEST_F(Schedules, FourPassSweepsTheStateFourTimes) {
  for_each_kernel("four_pass", [](const Lowered &code, const KernelRow &) {
    const std::multiset<std::string> expected = {"decayed_state", "prediction", "final_state$1", "read_sum"};
    EXPECT_EQ(sweeps(code, {"initial_state", "decayed_state", "final_state$1"}), expected);
    expect_at_root(code);
  });
}

TEST_F(Schedules, TwoPassSweepsTheStateTwice) {
  for_each_kernel("two_pass", [](const Lowered &code, const KernelRow &) {
    const std::multiset<std::string> expected = {"sweep", "final_state$1"};
    EXPECT_EQ(sweeps(code, {"initial_state", "final_state$1"}), expected);
    expect_at_root(code, {"sweep", "final_state$1"});
  });
}

// Whatever touches the state is inside the loop over value tiles that outputs and state share.
// With any value dim the last tile is a block of its own behind that loop, and a tile is copied before it is used.
void expect_state_only_in_value_tiles(const Lowered &code, const KernelRow &row) {
  if (row.head_dim == 0) {
    for (const Statement &s : code.touching("initial_state")) EXPECT_EQ(s.produced.back(), "state") << s.text;
    const std::string extents = code.allocation("state");
    EXPECT_EQ(extents.substr(0, 10), "float32 * ") << extents;
    EXPECT_EQ(extents.substr(0, extents.find('*', 10)).find_first_not_of("float32 *0123456789"), std::string::npos)
        << "the tile is not a constant number of columns: " << extents;
    return;
  }
  for (const char *state : {"initial_state", "final_state$1"}) {
    const auto touches = code.touching(state);
    EXPECT_FALSE(touches.empty()) << state;
    for (const Statement &s : touches) {
      bool in_tile = false;
      for (const std::string &loop : s.loops) in_tile |= mentions(loop, "output") && mentions(loop, ".vo");
      EXPECT_TRUE(in_tile) << s.text;
    }
  }
}

// One trip through memory: the state is swept once for prediction and reads, then once to write it, both in memory
// order: loops over columns inside the one over channels. With any head dim an odd last row is a block of its own
// behind the loop.
TEST_F(Schedules, OnePassWalksTheStateInMemoryOrder) {
  for_each_kernel("one_pass", [](const Lowered &code, const KernelRow &row) {
    std::set<std::string> funcs;
    for (const char *state : {"initial_state", "final_state$1"}) {
      for (const Statement &s : code.touching(state)) {
        const std::string &func = s.produced.back();
        funcs.insert(func);
        const std::string rows = func == "sweep" ? ".block" : ".c";
        const auto channels = std::find_if(s.loops.begin(), s.loops.end(),
                                           [&](const std::string &loop) { return ends_with(loop, rows); });
        if (channels == s.loops.end()) {
          EXPECT_EQ(row.head_dim, 0) << s.text;
          continue;
        }
        for (auto loop = channels + 1; loop != s.loops.end(); ++loop) {
          EXPECT_TRUE(mentions(*loop, ".v.")) << *loop << " is inside the loop over rows";
        }
        for (auto loop = s.loops.begin(); loop != channels; ++loop) {
          EXPECT_FALSE(mentions(*loop, ".v.")) << *loop << " is outside the loop over rows";
        }
      }
    }
    EXPECT_EQ(funcs, (std::set<std::string>{"sweep", "final_state$1"}));
  });
}

TEST_F(Schedules, ReferenceComputesEverythingAtRoot) {
  for_each_kernel("reference", [](const Lowered &code, const KernelRow &) {
    expect_at_root(code);
    EXPECT_FALSE(code.contains("ramp(")) << "vector code in a scalar schedule";
  });
}

TEST_F(Schedules, ValueOuterStridesOverChannelsInnermost) {
  for_each_kernel("value_outer", [](const Lowered &code, const KernelRow &) {
    EXPECT_FALSE(code.contains("ramp("));
    int reads = 0;
    for (const Statement &s : code.touching("initial_state")) {
      const std::string func = s.produced.back();
      if (func != "state_read" && func != "pseudo_read") continue;
      reads++;
      ASSERT_GE(s.loops.size(), 2u);
      EXPECT_TRUE(mentions(s.loops.back(), "state_channel")) << s.loops.back();
      EXPECT_TRUE(mentions(s.loops[0], ".s1.v")) << s.loops[0];
    }
    EXPECT_GE(reads, 2);
    for (const Statement &s : code.touching("state_sum")) {
      if (s.produced.back() == "state_sum") {
        EXPECT_TRUE(ends_with(s.loops.back(), ".c")) << s.loops.back();
      }
    }
  });
}

TEST_F(Schedules, HeadDimIsVectorisedOverValuesAndParallelOverHeads) {
  for_each_kernel("head_dim", [](const Lowered &code, const KernelRow &row) {
    EXPECT_EQ(row.parallel, Parallel::kernel);
    EXPECT_TRUE(code.contains("halide_do_par_for"));
    EXPECT_TRUE(code.contains("_s0_fused_h"));  // the body of the loop over heads
    int reads = 0;
    for (const Statement &s : code.touching("state_read")) {
      if (s.produced.back() != "state_read" || s.loops.empty() || !mentions(s.loops.back(), ".s1.")) continue;
      EXPECT_TRUE(mentions(s.text, "ramp(")) << s.text;
      // With any value dim the last vector is a block of its own behind the loop.
      const bool innermost = mentions(s.loops.back(), ".s1.v");
      EXPECT_TRUE(innermost || row.head_dim == 0) << s.loops.back();
      reads += innermost;
    }
    EXPECT_GE(reads, 1);
  });
}

TEST_F(Schedules, RuntimeParallelKernelsStartNoThreads) {
  for (const KernelRow &row : kernel_table()) {
    if (row.parallel != Parallel::runtime) continue;
    const Lowered code(std::string(SLUICE_KERNEL_DIR) + "/" + row.name + ".stmt");
    EXPECT_FALSE(code.contains("do_par_for")) << row.name;
  }
}

TEST_F(Schedules, RegisterTiledAccumulatesInRegisters) {
  for (const char *schedule : {"register_tiled", "register_tiled_wy"}) {
    for_each_kernel(schedule, [](const Lowered &code, const KernelRow &row) {
      expect_state_only_in_value_tiles(code, row);
      for (const char *accumulator : {"state_read", "state_sum", "output_sum"}) {
        // Constant extents, so that LLVM can keep it in registers: "float32 * 32 * 2 * 1".
        const std::string extents = code.allocation(accumulator);
        ASSERT_FALSE(extents.empty()) << accumulator;
        EXPECT_EQ(extents.find_first_not_of("float32 *0123456789"), std::string::npos)
            << accumulator << ": " << extents;
        int count = 1, number = 0;
        for (const char c : extents.substr(7) + "*") {
          if (c >= '0' && c <= '9') number = number * 10 + (c - '0');
          if (c == '*' && number > 0) count *= number, number = 0;
        }
        const int lanes = row.isa == Isa::avx512 ? 16 : row.isa == Isa::avx2 ? 8 : 4;
        const int registers = row.isa == Isa::avx512 || row.isa == Isa::neon ? 32 : 16;
        EXPECT_LT(count, lanes * registers) << accumulator << " does not fit the registers";
      }
    });
  }
}

}  // namespace
}  // namespace sluice::testing
