#include "runtime/parallel.h"

#include <HalideRuntime.h>

#include <algorithm>

#include "runtime/context.h"
#include "runtime/denormals.h"

extern "C" int sluice_halide_default_do_par_for(void *user_context, halide_task_t task, int min, int size,
                                                std::uint8_t *closure);

namespace sluice {

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
  const auto workers = static_cast<int>(std::min<std::int64_t>(context.arena.workers(), count));
  if (workers <= 1 || context.parallel) {
    const KernelFloatMode mode;
    TaskQueue queue(count);
    return body(data, self, queue);
  }

  Loop loop{&context, body, data, TaskQueue(count)};
  context.parallel = true;
  if (context.parallel_for != nullptr) {
    context.parallel_for(
        context.parallel_for_data, workers,
        [](void *task_data, std::int32_t index) { run_worker(*static_cast<Loop *>(task_data), index); }, &loop);
  } else {
    const halide_task_t task = [](void *, int index, std::uint8_t *closure) {
      run_worker(*reinterpret_cast<Loop *>(closure), index);
      return 0;
    };
    sluice_halide_default_do_par_for(&self, task, 0, workers, reinterpret_cast<std::uint8_t *>(&loop));
  }
  context.parallel = false;
  // The pool has joined the workers already; this says so to the memory model whatever the pool is made of.
  static_cast<void>(loop.finished.load(std::memory_order_acquire));
  return loop.failure.load(std::memory_order_acquire);
}

}  // namespace sluice
