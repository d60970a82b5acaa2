#include "runtime/prefetch.h"

#include <algorithm>

namespace sluice {

namespace {

constexpr std::int64_t kLine = 64;
constexpr std::int64_t kFirstGuess = 32;  // requests of a call of which none has been seen yet

}  // namespace

void Prefetcher::restart(std::int64_t expected_requests) {
  count_ = current_ = 0;
  group_ = row_ = offset_ = 0;
  lines_ = lines_per_request_ = requests_ = 0;
  expected_requests_ = expected_requests > 0 ? expected_requests : kFirstGuess;
}

void Prefetcher::add(const PrefetchRange &range) {
  if (count_ == kMostRanges || range.groups * range.rows * range.row_bytes <= 0) return;
  PrefetchRange &added = ranges_[count_++] = range;
  if (added.row_stride == added.row_bytes) {
    added.row_bytes *= added.rows;
    added.rows = 1;
  }
  lines_ += added.groups * added.rows * ((added.row_bytes + kLine - 1) / kLine);
  lines_per_request_ = (lines_ + expected_requests_ - 1) / expected_requests_;
}

const char *Prefetcher::next_line() {
  if (current_ == count_) return nullptr;
  const PrefetchRange &range = ranges_[current_];
  const char *const line = range.base + group_ * range.group_stride + row_ * range.row_stride + offset_;
  offset_ += kLine;
  if (offset_ < range.row_bytes) return line;
  offset_ = 0;
  if (++row_ < range.rows) return line;
  row_ = 0;
  if (++group_ < range.groups) return line;
  group_ = 0;
  current_++;
  return line;
}

void Prefetcher::request() {
  requests_++;
  for (std::int64_t n = 0; n < lines_per_request_; n++) {
    const char *const line = next_line();
    if (line == nullptr) return;
    // Into L2: L1 is full of what the kernel works on.
    __builtin_prefetch(line, 0, 2);
  }
}

}  // namespace sluice
