// The one parallel loop: tasks are handed to workers as they become free.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/arena.h"

namespace sluice {

// The tasks of a loop that are still to do.
class TaskQueue {
 public:
  explicit TaskQueue(std::int64_t count) : count_(count) {}

  // The next task's index; false if there is none left.
  bool next(std::int64_t *task) {
    *task = next_.fetch_add(1, std::memory_order_acq_rel);
    return *task < count_;
  }
  // Leaves nothing to do, after a failure.
  void stop() { next_.store(count_, std::memory_order_release); }
  std::int64_t count() const { return count_; }

 private:
  std::atomic<std::int64_t> next_{0};
  std::int64_t count_;
};

// One worker's part of a loop: takes tasks until there are none. 0, or the code of the failure that ended it.
using WorkerBody = int (*)(void *data, Worker &worker, TaskQueue &queue);

// Runs the body on up to as many workers as the arena has, on the caller's or Halide's threads; with one worker, or
// inside another loop, on the calling thread as `self`. Each thread is in the kernels' floating-point mode. Returns 0
// or the code of the first failure.
int run_tasks(Worker &self, std::int64_t count, WorkerBody body, void *data);

}  // namespace sluice
