// What a context holds.
#pragma once

#include <atomic>

#include "runtime/arena.h"
#include "runtime/dispatch.h"
#include "runtime/message.h"
#include "runtime/thread_pool.h"
#include "sluice/sluice.h"

struct sluice_context {
  std::atomic<bool> busy{false};
  sluice::Message message;
  sluice::Preferences preferences;
  int workers = 1;
  sluice_parallel_for parallel_for = nullptr;
  void *parallel_for_data = nullptr;
  sluice::Arena arena;
  sluice::ThreadPool threads;

  // Of the call in progress.
  std::atomic<bool> failed{false};  // the first failure has the message
  bool parallel = false;            // a loop over workers is running

  // A kernel's failure: keeps the first of a call.
  void report_failure(const char *text);
};

namespace sluice {

// Marks a context as inside a call for as long as it lives; held() is false if another thread was faster.
class ContextGuard {
 public:
  explicit ContextGuard(sluice_context *context);
  ~ContextGuard();
  ContextGuard(const ContextGuard &) = delete;
  ContextGuard &operator=(const ContextGuard &) = delete;

  bool held() const { return held_; }

 private:
  sluice_context *context_;
  bool held_;
};

// What sluice_error_message says.
const char *context_message(const sluice_context *context);

sluice_status create_context(const sluice_context_options *options, sluice_context **context);
void destroy_context(sluice_context *context);

}  // namespace sluice
