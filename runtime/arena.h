// A context's scratch: one allocation, from which each worker has a slice of its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/prefetch.h"

struct sluice_context;

namespace sluice {

// One worker's slice. It is what kernels get as user_context.
struct alignas(64) Worker {
  sluice_context *context = nullptr;
  std::byte *begin = nullptr, *end = nullptr;
  std::byte *top = nullptr;                // of the blocks in use
  std::byte *last = nullptr;               // header of the newest block, nullptr if there is none
  std::size_t high_water = 0;              // most bytes in use at once
  std::uint64_t overflows = 0;             // blocks that had to come from the heap
  float *state = nullptr;                  // for the state of one task, where the caller wants no final state
  std::atomic<std::int64_t> next_task{0};  // of its range in a loop over several workers
  std::int64_t end_task = 0;
  Prefetcher prefetcher;

  // For kernels: blocks are released in any order, mostly last first. Alignment 64. nullptr if the heap is exhausted.
  void *allocate_block(std::size_t bytes);
  void release_block(void *block);
  void release_all() { top = begin, last = nullptr; }
};

struct ArenaStatistics {
  std::size_t high_water_bytes = 0;  // most that one worker's kernels used at once, over all calls
  std::size_t capacity_bytes = 0;    // of the whole arena
  std::uint64_t overflows = 0;       // kernel blocks that did not fit a slice, over all calls: a defect if not 0
  std::uint64_t growths = 0;         // allocations of the arena
};

// Byte counts; INT64_MAX means more than there is.
struct ArenaLayout {
  std::int64_t shared = 0;       // before the slices, for all workers
  std::int64_t state = 0;        // per worker, for its task's state
  std::int64_t first_slice = 0;  // worker 0's
  std::int64_t slice = 0;        // every other worker's
  std::int64_t workers = 1;

  // Of the whole arena.
  std::int64_t bytes() const;
};

class Arena {
 public:
  Arena() = default;
  ~Arena();
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  // Makes room for a call, keeping the memory if it is large enough. False if there is not enough memory.
  bool reserve(const ArenaLayout &layout, sluice_context *context);
  // Adds the workers' counts of the call to the statistics.
  void collect();

  int workers() const { return count_; }
  Worker &worker(int index) { return workers_[index]; }
  float *shared() { return shared_; }
  const ArenaStatistics &statistics() const { return statistics_; }

 private:
  void *memory_ = nullptr;
  std::size_t capacity_ = 0;
  Worker *workers_ = nullptr;
  int count_ = 0;
  float *shared_ = nullptr;
  ArenaStatistics statistics_;
};

}  // namespace sluice
