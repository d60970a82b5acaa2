#include "runtime/dispatch.h"

#include <cinttypes>
#include <cstring>

#include "runtime/environment.h"
#include "runtime/kernel_table.h"

namespace sluice {

namespace {

bool given(const char *text) { return text != nullptr && text[0] != '\0'; }

bool fits(const KernelRow &row, const Problem &problem) {
  return row.rule == problem.rule &&
         (row.head_dim == 0 || (problem.key_dim == row.head_dim && problem.value_dim == row.head_dim));
}

bool allowed(const KernelRow &row, const Preferences &preferences) {
  return preferences.cpu.has(row.isa) && (!preferences.limit_isa || row.isa <= preferences.highest);
}

const KernelRow *find_kernel(const char *name) {
  for (const KernelRow &row : kernel_table()) {
    if (std::strcmp(row.name, name) == 0) return &row;
  }
  return nullptr;
}

sluice_status resolve_isa(const char *option, Preferences *preferences, Message &message) {
  const char *const source = given(option) ? "isa" : "SLUICE_ISA";
  const char *const name = given(option) ? option : environment().isa;
  if (!given(name)) return SLUICE_OK;
  if (!parse_isa(name, &preferences->highest)) {
    return message.invalid("%s: \"%.64s\" is unknown; expected base, avx2, avx512 or neon", source, name);
  }
  if (!is_native(preferences->highest)) {
    return message.invalid("%s: \"%s\" is not of this architecture; expected %s", source, name,
                           is_native(Isa::neon) ? "neon" : "base, avx2 or avx512");
  }
  preferences->limit_isa = true;
  preferences->limited_by = source;
  return SLUICE_OK;
}

sluice_status resolve_schedule(const char *name, Preferences *preferences, Message &message) {
  if (!given(name)) return SLUICE_OK;
  for (const KernelRow &row : kernel_table()) {
    if (std::strcmp(row.schedule, name) != 0) continue;
    preferences->schedule = row.schedule;
    return SLUICE_OK;
  }
  message.invalid("schedule: \"%.64s\" is unknown; expected one of", name);
  const auto &table = kernel_table();
  const char *separator = " ";
  for (auto row = table.begin(); row != table.end(); ++row) {
    bool listed = false;
    for (auto earlier = table.begin(); earlier != row && !listed; ++earlier) {
      listed = std::strcmp(earlier->schedule, row->schedule) == 0;
    }
    if (listed) continue;
    message.append("%s%s", separator, row->schedule);
    separator = ", ";
  }
  return SLUICE_INVALID_ARGUMENT;
}

sluice_status resolve_kernel(const char *option, Preferences *preferences, Message &message) {
  const char *const source = given(option) ? "kernel" : "SLUICE_KERNEL";
  const char *const name = given(option) ? option : environment().kernel;
  if (!given(name)) return SLUICE_OK;
  const KernelRow *const row = find_kernel(name);
  if (row == nullptr) {
    return message.fail(
        SLUICE_UNSUPPORTED,
        "%s: this program has no %.128s; `sluice list` shows what ships and, as study, what only that program has",
        source, name);
  }
  if (!preferences->cpu.has(row->isa)) {
    return message.fail(SLUICE_UNSUPPORTED, "%s: %s needs %s, which this CPU does not have", source, row->name,
                        isa_name(row->isa));
  }
  if (!allowed(*row, *preferences)) {
    return message.fail(SLUICE_UNSUPPORTED, "%s: %s needs %s, and %s allows nothing above %s", source, row->name,
                        isa_name(row->isa), preferences->limited_by, isa_name(preferences->highest));
  }
  preferences->forced = row;
  preferences->forced_by = source;
  return SLUICE_OK;
}

// The first row that fits: of the preferred schedule if one does, else of any.
const KernelRow *first_fit(Op op, const Problem &problem, const Preferences &preferences) {
  const KernelRow *first = nullptr;
  for (const KernelRow &row : kernel_table()) {
    if (row.op != op || !fits(row, problem) || !allowed(row, preferences)) continue;
    if (preferences.schedule == nullptr || std::strcmp(row.schedule, preferences.schedule) == 0) return &row;
    if (first == nullptr) first = &row;
  }
  return first;
}

}  // namespace

sluice_status resolve_preferences(const sluice_context_options &options, Preferences *preferences, Message &message) {
  *preferences = {};
  sluice_status status = resolve_isa(options.isa, preferences, message);
  if (status == SLUICE_OK) status = resolve_schedule(options.schedule, preferences, message);
  if (status == SLUICE_OK) status = resolve_kernel(options.kernel, preferences, message);
  return status;
}

sluice_status choose_kernels(const Problem &problem, const Preferences &preferences, KernelChoice *choice,
                             Message &message) {
  *choice = {};
  if (const KernelRow *const forced = preferences.forced; forced != nullptr) {
    if (!fits(*forced, problem)) {
      message.fail(SLUICE_UNSUPPORTED, "%s: %s is for %s with ", preferences.forced_by, forced->name,
                   rule_name(forced->rule));
      forced->head_dim == 0 ? message.append("any K and V") : message.append("K = V = %d", forced->head_dim);
      message.append("; the call is %s with K = %" PRId64 " and V = %" PRId64, rule_name(problem.rule), problem.key_dim,
                     problem.value_dim);
      return SLUICE_UNSUPPORTED;
    }
    (forced->op == Op::chunk ? choice->chunk : choice->step) = forced;
  } else {
    choice->chunk = first_fit(Op::chunk, problem, preferences);
    choice->step = first_fit(Op::step, problem, preferences);
    if (choice->chunk == nullptr && choice->step == nullptr) {
      return message.fail(SLUICE_UNSUPPORTED,
                          "rule: no kernel of this build does %s with K = %" PRId64 " and V = %" PRId64 " on %s",
                          rule_name(problem.rule), problem.key_dim, problem.value_dim,
                          preferences.limit_isa ? "the instruction sets that isa allows" : "this CPU");
    }
  }
  if (choice->chunk != nullptr) {
    choice->chunk_length = choice->chunk->chunk_length;
    choice->min_chunk_rows = choice->step != nullptr ? choice->chunk->min_chunk_rows : 1;
  }
  return SLUICE_OK;
}

}  // namespace sluice
