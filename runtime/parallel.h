// The one parallel loop: each worker has a range of the tasks and, when it is done, helps the others.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/arena.h"

namespace sluice {

// The tasks of a loop that are still to do. A worker starts with its own range of neighbours, the same in every call of
// a shape, so that a head's state is found in the cache of the core that wrote it.
class TaskQueue {
 public:
  // All for one worker.
  explicit TaskQueue(std::int64_t count) : end_(count) {}
  // Divided among several. One such queue at a time: the ranges are kept with the workers.
  TaskQueue(Worker *workers, int worker_count, std::int64_t count);

  // The worker's next task; false if there is none left.
  bool next(Worker &self, std::int64_t *task);
  // The one that next() will most likely give; false if another worker's or none.
  bool peek(const Worker &self, std::int64_t *task) const;
  // Leaves nothing to do, after a failure.
  void stop();

 private:
  Worker *workers_ = nullptr;
  int worker_count_ = 0;
  std::int64_t next_ = 0, end_ = 0;  // of the one worker
};

// One worker's part of a loop: takes tasks until there are none. 0, or the code of the failure that ended it.
using WorkerBody = int (*)(void *data, Worker &worker, TaskQueue &queue);

// What run_tasks returns where the caller's parallel_for did not do its work; no kernel returns it.
constexpr int kUnfinishedLoop = -1000;

// Runs the body on up to as many workers as the arena has, on the caller's threads or the context's; with one worker,
// or inside another loop, on the calling thread as `self`. Each thread is in the kernels' floating-point mode. Returns
// 0 or the code of the first failure.
int run_tasks(Worker &self, std::int64_t count, WorkerBody body, void *data);

}  // namespace sluice
