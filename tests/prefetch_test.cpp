// What is fetched ahead of the next kernel call.
#include "runtime/prefetch.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice::test {
namespace {

// All that is left, taken `most` lines at a time.
std::vector<std::ptrdiff_t> lines_of(Prefetcher &prefetcher, const char *base, std::int64_t most = 5) {
  std::vector<std::ptrdiff_t> lines;
  for (Prefetcher::Lines taken = prefetcher.take(most); taken.count > 0; taken = prefetcher.take(most)) {
    EXPECT_LE(taken.count, most);
    for (std::int64_t n = 0; n < taken.count; n++) lines.push_back(taken.first + 64 * n - base);
  }
  return lines;
}

PrefetchRange range(const char *base, std::int64_t row_bytes, std::int64_t rows, std::int64_t row_stride) {
  PrefetchRange range;
  range.base = base, range.row_bytes = row_bytes, range.rows = rows, range.row_stride = row_stride;
  return range;
}

TEST(Prefetch, EveryLineOfEveryRowOnceAndNothingElse) {
  static const char memory[4096] = {};
  for (const std::int64_t most : {1, 2, 100}) {
    Prefetcher prefetcher;
    prefetcher.restart(0);
    PrefetchRange rows = range(memory, 100, 3, 256);
    rows.groups = 2, rows.group_stride = 1024;
    prefetcher.add(rows);
    prefetcher.add(range(memory + 3072, 4, 1, 0));
    EXPECT_EQ(lines_of(prefetcher, memory, most),
              (std::vector<std::ptrdiff_t>{0, 64, 256, 320, 512, 576, 1024, 1088, 1280, 1344, 1536, 1600, 3072}));
  }
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
    EXPECT_EQ(prefetcher.take(1).count, 0) << requests;
  }
}

TEST(Prefetch, RestartForgetsAndEmptyOrTooManyRangesAreLeftOut) {
  static const char memory[64 * 100] = {};
  Prefetcher prefetcher;
  prefetcher.restart(0);
  EXPECT_EQ(prefetcher.take(1).count, 0);
  prefetcher.request();
  prefetcher.add(range(memory, 0, 3, 64));
  prefetcher.add(range(memory, 64, 0, 64));
  EXPECT_EQ(prefetcher.take(1).count, 0);
  for (int n = 0; n < 100; n++) prefetcher.add(range(memory + n * 64, 64, 1, 0));
  const auto lines = lines_of(prefetcher, memory);
  EXPECT_GE(lines.size(), 10U);
  EXPECT_LE(lines.size(), 100U);
  prefetcher.add(range(memory, 64, 1, 0));
  prefetcher.restart(1);
  EXPECT_EQ(prefetcher.take(1).count, 0);
}

}  // namespace
}  // namespace sluice::test
