#include "runtime/context.h"

#include <new>

#include "runtime/allocate.h"
#include "runtime/struct_check.h"

void sluice_context::report_failure(const char *text) {
  if (!failed.exchange(true, std::memory_order_acq_rel)) message.fail(SLUICE_INTERNAL, "%s", text);
}

namespace sluice {

namespace {

// The context that refused this thread's last call because another thread was inside: its message is that thread's to
// write, so this thread's is kept here.
thread_local const sluice_context *refused_by = nullptr;

}  // namespace

ContextGuard::ContextGuard(sluice_context *context)
    : context_(context), held_(!context->busy.exchange(true, std::memory_order_acquire)) {
  refused_by = held_ ? nullptr : context;
}

ContextGuard::~ContextGuard() {
  if (held_) context_->busy.store(false, std::memory_order_release);
}

const char *context_message(const sluice_context *context) {
  if (context == nullptr) return thread_message().text();
  if (context == refused_by) return "context: another thread is inside a call on it";
  return context->message.text();
}

sluice_status create_context(const sluice_context_options *options, sluice_context **context) {
  Message &message = thread_message();
  if (context == nullptr) return message.invalid("context: NULL; expected where to put the new context");
  *context = nullptr;
  sluice_context_options defaults;
  if (options == nullptr) {
    sluice_context_options_init(&defaults);
    options = &defaults;
  }
  if (const sluice_status status = check_struct("options", options, message); status != SLUICE_OK) return status;
  if (options->workers < 1) return message.invalid("workers: %d; expected at least 1", options->workers);
  Preferences preferences;
  if (const sluice_status status = resolve_preferences(*options, &preferences, message); status != SLUICE_OK) {
    return status;
  }

  void *const memory = allocate(sizeof(sluice_context));
  if (memory == nullptr) return message.fail(SLUICE_OUT_OF_MEMORY, "context: out of memory");
  auto *const made = new (memory) sluice_context;
  made->preferences = preferences;
  made->workers = options->workers;
  made->parallel_for = options->parallel_for;
  made->parallel_for_data = options->parallel_for_data;
  refused_by = nullptr;
  *context = made;
  return SLUICE_OK;
}

void destroy_context(sluice_context *context) {
  if (context == nullptr) return;
  context->~sluice_context();
  deallocate(context);
}

}  // namespace sluice
