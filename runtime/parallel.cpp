#include "runtime/parallel.h"

#include <algorithm>
#include <cstdio>

#include "runtime/context.h"
#include "runtime/denormals.h"

namespace sluice {

TaskQueue::TaskQueue(Worker *workers, int worker_count, std::int64_t count)
    : workers_(workers), worker_count_(worker_count) {
  const std::int64_t share = count / worker_count, rest = count % worker_count;
  std::int64_t begin = 0;
  for (int n = 0; n < worker_count; n++) {
    workers[n].next_task.store(begin, std::memory_order_relaxed);
    workers[n].end_task = begin += share + (n < rest ? 1 : 0);
  }
}

bool TaskQueue::next(Worker &self, std::int64_t *task) {
  if (workers_ == nullptr) {
    *task = next_++;
    return *task < end_;
  }
  auto own = static_cast<int>(&self - workers_);
  for (int n = 0; n < worker_count_; n++, own = own + 1 < worker_count_ ? own + 1 : 0) {
    Worker &worker = workers_[own];
    if (worker.next_task.load(std::memory_order_relaxed) >= worker.end_task) continue;
    *task = worker.next_task.fetch_add(1, std::memory_order_acq_rel);
    if (*task < worker.end_task) return true;
  }
  return false;
}

bool TaskQueue::peek(const Worker &self, std::int64_t *task) const {
  *task = workers_ == nullptr ? next_ : self.next_task.load(std::memory_order_relaxed);
  return *task < (workers_ == nullptr ? end_ : self.end_task);
}

void TaskQueue::stop() {
  for (int n = 0; n < worker_count_; n++) workers_[n].next_task.store(workers_[n].end_task, std::memory_order_release);
  next_ = end_;
}

namespace {

struct Loop {
  sluice_context *context;
  WorkerBody body;
  void *data;
  TaskQueue queue;
  std::atomic<int> failure{0};  // the first one's code
  std::atomic<int> finished{0};
};

void run_worker(Loop &loop, int index) {
  const KernelFloatMode mode;
  const int code = loop.body(loop.data, loop.context->arena.worker(index), loop.queue);
  if (code != 0) {
    int none = 0;
    loop.failure.compare_exchange_strong(none, code, std::memory_order_acq_rel);
    loop.queue.stop();
  }
  loop.finished.fetch_add(1, std::memory_order_release);
}

}  // namespace

int run_tasks(Worker &self, std::int64_t count, WorkerBody body, void *data) {
  sluice_context &context = *self.context;
  auto workers = context.parallel ? 1 : static_cast<int>(std::min<std::int64_t>(context.arena.workers(), count));
  if (workers > 1 && context.parallel_for == nullptr) {
    workers = std::min(workers, 1 + context.threads.grow(workers - 1));
  }
  if (workers <= 1) {
    const KernelFloatMode mode;
    TaskQueue queue(count);
    return body(data, self, queue);
  }

  struct InParallel {
    bool &flag;
    explicit InParallel(bool &context_flag) : flag(context_flag) { flag = true; }
    ~InParallel() { flag = false; }  // also where a caller's parallel_for throws
  } in_parallel(context.parallel);
  Loop loop{&context, body, data, TaskQueue(&context.arena.worker(0), workers, count)};
  if (context.parallel_for != nullptr) {
    context.parallel_for(
        context.parallel_for_data, workers,
        [](void *task_data, std::int32_t index) { run_worker(*static_cast<Loop *>(task_data), index); }, &loop);
  } else {
    context.threads.run(
        workers, [](void *part_data, int index) { run_worker(*static_cast<Loop *>(part_data), index); }, &loop);
  }
  // The pool has joined the workers already; the load says so to the memory model whatever the pool is made of.
  const int finished = loop.finished.load(std::memory_order_acquire);
  const int failure = loop.failure.load(std::memory_order_acquire);
  if (failure != 0 || finished == workers) return failure;
  char text[160];
  std::snprintf(text, sizeof text, "parallel_for: %d of %d tasks had run when it returned; expected all", finished,
                workers);
  context.report_failure(text);
  return kUnfinishedLoop;
}

}  // namespace sluice
