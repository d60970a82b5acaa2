// What the next kernel call will touch, brought towards the core while the present one computes.
//
// A chunk needs only a few rows of each tensor: too little for a hardware prefetcher to get going, so that a call would
// start by waiting for memory. Kernels ask for a few lines at a time between pieces of their work.
#pragma once

#include <cstdint>

namespace sluice {

// `groups` blocks of `rows` rows; strides in bytes.
struct PrefetchRange {
  const char *base = nullptr;
  std::int64_t row_bytes = 0;
  std::int64_t rows = 1, row_stride = 0;
  std::int64_t groups = 1, group_stride = 0;
};

class Prefetcher {
 public:
  // Forgets what was planned. The call that comes next is expected to make as many requests as given; 0: not known.
  void restart(std::int64_t expected_requests);
  void add(const PrefetchRange &range);
  // Fetches the next share of what was planned. Called by kernels.
  void request();
  struct Lines {
    const char *first;
    std::int64_t count;
  };
  // The next lines of what was planned that lie together, `most` of them at most, each once; none at the end.
  Lines take(std::int64_t most);
  std::int64_t requests() const { return requests_; }  // since restart

 private:
  static constexpr int kMostRanges = 12;

  PrefetchRange ranges_[kMostRanges];
  int count_ = 0, current_ = 0;
  std::int64_t group_ = 0, row_ = 0, offset_ = 0;  // in the current range
  std::int64_t lines_ = 0, share_ = 0;             // in all, and in one request
  std::int64_t requests_ = 0, expected_requests_ = 0;
};

}  // namespace sluice
