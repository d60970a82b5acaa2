// validate.h's check_limits.
#include <algorithm>
#include <cinttypes>

#include "runtime/validate.h"

namespace sluice {

namespace {

constexpr std::int64_t kBeyond = std::int64_t{1} << 31;

// Whether count steps of this stride stay below 2^31 elements.
bool in_reach(std::int64_t count, std::int64_t stride) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(count, stride, &product)) return false;
  return product < kBeyond && product > -kBeyond;
}

sluice_status too_far(Message &message, const char *name, const char *axis, std::int64_t stride, std::int64_t count) {
  return message.invalid("%s: %s stride %" PRId64 " x %" PRId64 " is too far; expected less than 2147483648 elements",
                         name, axis, stride, count);
}

}  // namespace

sluice_status check_limits(const Problem &problem, std::int64_t chunk_length, Message &message) {
  if (!in_reach(problem.query_group, 1)) {
    return message.invalid("query: %" PRId64 " heads for each of value's; expected less than 2147483648",
                           problem.query_group);
  }
  const std::int64_t rows = std::min(chunk_length, problem.tokens);
  const struct {
    const char *name;
    const View &view;
    std::int64_t group_stride;
  } by_token[] = {{"query", problem.query, problem.query_group_stride},
                  {"key", problem.key, 0},
                  {"value", problem.value, 0},
                  {"gate", problem.gate, 0},
                  {"beta", problem.beta, 0},
                  {"erase", problem.erase, 0},
                  {"write", problem.write, 0},
                  {"output", problem.output, problem.output_group_stride}};
  for (const auto &[name, view, group_stride] : by_token) {
    if (!in_reach(rows, view.stride[2])) return too_far(message, name, "token", view.stride[2], rows);
    if (!in_reach(problem.query_group, group_stride)) {
      return too_far(message, name, "query group", group_stride, problem.query_group);
    }
  }
  // The group and token axes add up.
  for (const auto &[name, view, group_stride] : by_token) {
    const std::int64_t sum = (problem.query_group - 1) * std::abs(group_stride) +
                             (std::max<std::int64_t>(rows, 1) - 1) * std::abs(view.stride[2]);
    if (sum >= kBeyond - std::max(problem.key_dim, problem.value_dim)) {
      return message.invalid("%s: one call's tokens and query heads reach %" PRId64
                             " elements; expected less than 2147483648",
                             name, sum + 1);
    }
  }
  const struct {
    const char *name;
    const View &view;
  } states[] = {{"initial_state", problem.initial_state}, {"final_state", problem.final_state}};
  for (const auto &[name, view] : states) {
    if (!in_reach(problem.key_dim, view.stride[2])) {
      return too_far(message, name, "row", view.stride[2], problem.key_dim);
    }
  }
  if (!in_reach(problem.key_dim, problem.value_dim)) {
    return message.fail(SLUICE_UNSUPPORTED, "value: K x V = %" PRId64 " x %" PRId64 "; expected less than 2147483648",
                        problem.key_dim, problem.value_dim);
  }
  return SLUICE_OK;
}

}  // namespace sluice
