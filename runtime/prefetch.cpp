#include "runtime/prefetch.h"

#include <algorithm>

namespace sluice {

namespace {

constexpr std::int64_t kLine = 64;
constexpr std::int64_t kFirstGuess = 32;  // requests of a call of which none has been seen yet

std::int64_t lines_in(std::int64_t bytes) { return (bytes + kLine - 1) / kLine; }

}  // namespace

void Prefetcher::restart(std::int64_t expected_requests) {
  count_ = current_ = 0;
  group_ = row_ = offset_ = 0;
  lines_ = requests_ = 0;
  expected_requests_ = expected_requests > 0 ? expected_requests : kFirstGuess;
}

void Prefetcher::add(const PrefetchRange &range) {
  if (count_ == kMostRanges || range.groups * range.rows * range.row_bytes <= 0) return;
  PrefetchRange &added = ranges_[count_++] = range;
  if (added.row_stride == added.row_bytes) {
    added.row_bytes *= added.rows;
    added.rows = 1;
  }
  lines_ += added.groups * added.rows * lines_in(added.row_bytes);
}

Prefetcher::Lines Prefetcher::take(std::int64_t most) {
  if (current_ == count_) return {nullptr, 0};
  const PrefetchRange &range = ranges_[current_];
  const Lines lines{range.base + group_ * range.group_stride + row_ * range.row_stride + offset_,
                    std::min(most, lines_in(range.row_bytes - offset_))};
  offset_ += lines.count * kLine;
  if (offset_ < range.row_bytes) return lines;
  offset_ = 0;
  if (++row_ < range.rows) return lines;
  row_ = 0;
  if (++group_ < range.groups) return lines;
  group_ = 0;
  current_++;
  return lines;
}

void Prefetcher::request() {
  if (requests_++ == 0) share_ = (lines_ + expected_requests_ - 1) / expected_requests_;
  for (std::int64_t left = share_; left > 0;) {
    const Lines lines = take(left);
    if (lines.count == 0) return;
    left -= lines.count;
    // Into L2: L1 is full of what the kernel works on.
    for (std::int64_t n = 0; n < lines.count; n++) __builtin_prefetch(lines.first + n * kLine, 0, 2);
  }
}

}  // namespace sluice
