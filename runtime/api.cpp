// The public functions: each checks, calls its part of the runtime and lets no exception out.
#include <algorithm>
#include <new>

#include "runtime/context.h"
#include "runtime/cpu.h"
#include "runtime/kernel_table.h"
#include "runtime/scratch.h"
#include "runtime/sequence.h"
#include "runtime/struct_check.h"
#include "runtime/validate.h"
#include "sluice/sluice.h"

namespace {

using namespace sluice;

#define SLUICE_TEXT_OF(x) #x
#define SLUICE_TEXT(x) SLUICE_TEXT_OF(x)

// Only the standard library and a caller's parallel_for can throw; memory is what the former can run out of.
template <typename Function>
sluice_status guarded(Message &message, Function &&function) noexcept {
  try {
    return function();
  } catch (const std::bad_alloc &) {
    return message.fail(SLUICE_OUT_OF_MEMORY, "out of memory");
  } catch (...) {
    return message.fail(SLUICE_INTERNAL, "parallel_for: an exception left it; expected none");
  }
}

// What is common to a call and its plan: who runs what, and whether that is possible.
sluice_status prepare(sluice_context &context, const sluice_gated_delta_rule_args *args, Problem *problem,
                      KernelChoice *kernels, Work *work) {
  Message &message = context.message;
  sluice_status status = validate(args, problem, message);
  if (status == SLUICE_OK) status = choose_kernels(*problem, context.preferences, kernels, message);
  if (status == SLUICE_OK) status = check_limits(*problem, kernels->chunk_length, message);
  if (status == SLUICE_OK) *work = divide_work(*problem, *kernels, context.workers);
  return status;
}

sluice_status run(sluice_context &context, const sluice_gated_delta_rule_args *args) {
  Problem problem;
  KernelChoice kernels;
  Work work;
  const sluice_status prepared = prepare(context, args, &problem, &kernels, &work);
  if (prepared != SLUICE_OK || work.tasks == 0) return prepared;
  if (work.segment_count == 0 && (problem.final_state.data == nullptr || problem.in_place)) return SLUICE_OK;
  if (!context.arena.reserve(work.memory, &context)) {
    return context.message.fail(SLUICE_OUT_OF_MEMORY, "scratch: out of memory for %lld workers of %lld bytes each",
                                static_cast<long long>(work.memory.workers), static_cast<long long>(work.memory.slice));
  }
  context.failed.store(false, std::memory_order_relaxed);
  const sluice_status status = run_sequence(context, problem, work);
  context.arena.collect();
  return status;
}

sluice_status make_plan(sluice_context &context, const sluice_gated_delta_rule_args *args, sluice_plan *plan) {
  Message &message = context.message;
  if (plan == nullptr) return message.invalid("plan: NULL; expected where to put the plan");
  if (const sluice_status status = check_struct_size("plan", plan, message); status != SLUICE_OK) return status;
  Problem problem;
  KernelChoice kernels;
  Work work;
  const sluice_status status = prepare(context, args, &problem, &kernels, &work);
  if (status != SLUICE_OK) return status;
  *plan = {};
  plan->struct_size = sizeof *plan;
  for (int n = 0; n < work.segment_count && work.tasks > 0; n++) {
    const KernelRow &row = *work.segments[n].row;
    (row.op == Op::chunk ? plan->chunk_kernel : plan->step_kernel) = row.name;
  }
  plan->chunk_length = kernels.chunk_length;
  plan->min_chunk_rows = kernels.min_chunk_rows;
  plan->scratch_bytes = saturating_add(work.memory.bytes(), work.memory.workers - 1) / work.memory.workers;
  plan->tasks = work.tasks;
  return SLUICE_OK;
}

// Takes the context for one call.
template <typename Function>
sluice_status with_context(sluice_context *context, Function &&function) noexcept {
  if (context == nullptr) return thread_message().invalid("context: NULL; expected one from sluice_context_create");
  const ContextGuard guard(context);
  if (!guard.held()) return SLUICE_BUSY;
  return guarded(context->message, [&] { return function(*context); });
}

}  // namespace

extern "C" {

void sluice_context_options_init(sluice_context_options *options) {
  if (options == nullptr) return;
  *options = {};
  options->struct_size = sizeof *options;
  options->workers = 1;
}

sluice_status sluice_context_create(const sluice_context_options *options, sluice_context **context) {
  return guarded(thread_message(), [&] { return create_context(options, context); });
}

void sluice_context_destroy(sluice_context *context) { destroy_context(context); }

const char *sluice_error_message(const sluice_context *context) { return context_message(context); }

const char *sluice_status_name(sluice_status status) {
  switch (status) {
    case SLUICE_OK:
      return "OK";
    case SLUICE_INVALID_ARGUMENT:
      return "INVALID_ARGUMENT";
    case SLUICE_UNSUPPORTED:
      return "UNSUPPORTED";
    case SLUICE_OUT_OF_MEMORY:
      return "OUT_OF_MEMORY";
    case SLUICE_BUSY:
      return "BUSY";
    case SLUICE_INTERNAL:
      return "INTERNAL";
  }
  return "UNKNOWN";
}

const char *sluice_version(void) {
  return SLUICE_TEXT(SLUICE_VERSION_MAJOR) "." SLUICE_TEXT(SLUICE_VERSION_MINOR) "." SLUICE_TEXT(SLUICE_VERSION_PATCH);
}

void sluice_gated_delta_rule_args_init(sluice_gated_delta_rule_args *args) {
  if (args == nullptr) return;
  *args = {};
  args->struct_size = sizeof *args;
  args->l2norm_eps = 1e-6f;
  args->scale = 1.0f;
}

sluice_status sluice_gated_delta_rule(sluice_context *context, const sluice_gated_delta_rule_args *args) {
  return with_context(context, [&](sluice_context &held) { return run(held, args); });
}

sluice_status sluice_gated_delta_rule_plan(sluice_context *context, const sluice_gated_delta_rule_args *args,
                                           sluice_plan *plan) {
  return with_context(context, [&](sluice_context &held) { return make_plan(held, args, plan); });
}

size_t sluice_kernel_count(void) {
  size_t count = 0;
  guarded(thread_message(), [&] {
    count = kernel_table().size();
    return SLUICE_OK;
  });
  return count;
}

sluice_status sluice_kernel_at(size_t index, sluice_kernel_info *info) {
  Message &message = thread_message();
  return guarded(message, [&] {
    if (info == nullptr) return message.invalid("info: NULL; expected where to put the kernel's description");
    if (const sluice_status status = check_struct_size("info", info, message); status != SLUICE_OK) return status;
    const auto &table = kernel_table();
    if (index >= table.size()) {
      return message.invalid("index: %zu; expected less than the table's %zu", index, table.size());
    }
    const KernelRow &row = table[index];
    *info = {};
    info->struct_size = sizeof *info;
    info->name = row.name, info->op = op_name(row.op), info->rule = rule_name(row.rule);
    info->dtype = dtype_name(row.dtype), info->schedule = row.schedule, info->isa = isa_name(row.isa);
    info->set = set_name(row.set), info->parallel = parallel_name(row.parallel);
    info->head_dim = row.head_dim, info->chunk_length = row.chunk_length, info->min_chunk_rows = row.min_chunk_rows;
    info->runnable = host_isa_support().has(row.isa) ? 1 : 0;
    return SLUICE_OK;
  });
}

}  // extern "C"
