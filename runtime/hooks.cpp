// What kernels call instead of Halide's own malloc, free, do_par_for, error and print, and of their own: prefetch.
// user_context is the worker.
#include <HalideRuntime.h>

#include "runtime/context.h"
#include "runtime/parallel.h"

extern "C" {

void *sluice_hook_malloc(void *user_context, std::size_t bytes) {
  return static_cast<sluice::Worker *>(user_context)->allocate_block(bytes);
}

void sluice_hook_free(void *user_context, void *block) {
  static_cast<sluice::Worker *>(user_context)->release_block(block);
}

// 0, which the kernel adds to something: the call must not look as if it could be left out.
float sluice_hook_prefetch(void *user_context) {
  static_cast<sluice::Worker *>(user_context)->prefetcher.request();
  return 0;
}

int sluice_hook_do_par_for(void *user_context, halide_task_t task, int min, int size, std::uint8_t *closure) {
  struct KernelLoop {
    halide_task_t task;
    int min;
    std::uint8_t *closure;
  } loop{task, min, closure};
  return sluice::run_tasks(
      *static_cast<sluice::Worker *>(user_context), size,
      [](void *data, sluice::Worker &worker, sluice::TaskQueue &queue) {
        const auto &kernel_loop = *static_cast<const KernelLoop *>(data);
        for (std::int64_t index = 0; queue.next(worker, &index);) {
          const int code = kernel_loop.task(&worker, kernel_loop.min + static_cast<int>(index), kernel_loop.closure);
          if (code != 0) return code;
        }
        return 0;
      },
      &loop);
}

// Halide's pool has no worker when it reports for itself.
void sluice_hook_error(void *user_context, const char *text) {
  if (user_context != nullptr) static_cast<sluice::Worker *>(user_context)->context->report_failure(text);
}

void sluice_hook_print(void *, const char *) {}

}  // extern "C"
