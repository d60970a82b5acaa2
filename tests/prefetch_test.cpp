// What is fetched ahead of the next kernel call, and that it changes no result.
#include "runtime/prefetch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "tests/run.h"

namespace sluice::test {
namespace {

std::vector<std::ptrdiff_t> lines_of(Prefetcher &prefetcher, const char *base) {
  std::vector<std::ptrdiff_t> lines;
  while (const char *line = prefetcher.next_line()) lines.push_back(line - base);
  return lines;
}

PrefetchRange range(const char *base, std::int64_t row_bytes, std::int64_t rows, std::int64_t row_stride) {
  PrefetchRange range;
  range.base = base, range.row_bytes = row_bytes, range.rows = rows, range.row_stride = row_stride;
  return range;
}

TEST(Prefetch, EveryLineOfEveryRowOnceAndNothingElse) {
  static const char memory[4096] = {};
  Prefetcher prefetcher;
  prefetcher.restart(0);
  PrefetchRange rows = range(memory, 100, 3, 256);
  rows.groups = 2, rows.group_stride = 1024;
  prefetcher.add(rows);
  prefetcher.add(range(memory + 3072, 4, 1, 0));
  EXPECT_EQ(lines_of(prefetcher, memory),
            (std::vector<std::ptrdiff_t>{0, 64, 256, 320, 512, 576, 1024, 1088, 1280, 1344, 1536, 1600, 3072}));
}

TEST(Prefetch, RowsWithoutGapsAreOne) {
  static const char memory[4096] = {};
  Prefetcher prefetcher;
  prefetcher.restart(0);
  prefetcher.add(range(memory, 96, 4, 96));
  EXPECT_EQ(lines_of(prefetcher, memory), (std::vector<std::ptrdiff_t>{0, 64, 128, 192, 256, 320}));
}

TEST(Prefetch, TheExpectedRequestsTakeAll) {
  static const char memory[1 << 16] = {};
  for (const std::int64_t requests : {1, 7, 64, 2000}) {
    Prefetcher prefetcher;
    prefetcher.restart(requests);
    for (int n = 0; n < 3; n++) prefetcher.add(range(memory + n * 16384, 8192, 1, 0));
    for (std::int64_t n = 0; n < requests; n++) prefetcher.request();
    EXPECT_EQ(prefetcher.requests(), requests);
    EXPECT_EQ(prefetcher.next_line(), nullptr) << requests;
  }
}

TEST(Prefetch, RestartForgetsAndEmptyOrTooManyRangesAreLeftOut) {
  static const char memory[64 * 100] = {};
  Prefetcher prefetcher;
  prefetcher.restart(0);
  EXPECT_EQ(prefetcher.next_line(), nullptr);
  prefetcher.request();
  prefetcher.add(range(memory, 0, 3, 64));
  prefetcher.add(range(memory, 64, 0, 64));
  EXPECT_EQ(prefetcher.next_line(), nullptr);
  for (int n = 0; n < 100; n++) prefetcher.add(range(memory + n * 64, 64, 1, 0));
  const auto lines = lines_of(prefetcher, memory);
  EXPECT_GE(lines.size(), 10U);
  EXPECT_LE(lines.size(), 100U);
  prefetcher.add(range(memory, 64, 1, 0));
  prefetcher.restart(1);
  EXPECT_EQ(prefetcher.next_line(), nullptr);
}

// States larger than the caches are fetched a head ahead.
TEST(Prefetch, LargeStatesAreComputedAsSmallOnes) {
  for (const sluice_rule rule : all_rules) {
    for (const std::int64_t T : {1, 19}) {
      for (const bool in_place : {false, true}) {
        for (const int workers : {1, 3}) {
          Case c;
          c.rule = rule;
          c.shape = {2, T, 40, 40, 40, 128, 128};
          Problem problem(c);
          ContextSetup setup;
          setup.workers = workers;
          const Context context = make_context(setup);
          const sluice_gated_delta_rule_args inputs = problem.args();
          const auto expected = token_loop(inputs);
          const sluice_gated_delta_rule_args args = in_place ? problem.in_place_args() : problem.args();
          run(context.get(), args);
          EXPECT_TRUE(close_to(expected, args)) << rule_name(rule) << " T = " << T << " in place " << in_place;
        }
      }
    }
  }
}

}  // namespace
}  // namespace sluice::test
