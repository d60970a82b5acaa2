#include "runtime/work.h"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>

#include "runtime/scratch.h"

namespace sluice {

namespace {

// A head that is cut has its columns side by side in memory: a core that fetches ahead takes lines that another one is
// writing. From this many tokens on each task works on a copy of its own (1.5 x at T = 512).
constexpr std::int64_t kTokensWorthACopy = 64;

struct Axis {
  std::int64_t extent, stride;
};

// Whether every element of a buffer is within 2^31 elements of the first, and there are fewer than 2^31.
bool indexable(std::initializer_list<Axis> axes) {
  std::int64_t reach = 0, elements = 1;
  for (const Axis &axis : axes) {
    if (axis.extent == 0) return true;
    elements = saturating_multiply(elements, axis.extent);
    if (axis.extent > 1) reach = saturating_add(reach, saturating_multiply(axis.extent, std::abs(axis.stride)));
  }
  return reach < INT32_MAX && elements < INT32_MAX;
}

// Whether one call can take all heads: Halide indexes a buffer with 32 bits.
bool heads_fit_one_call(const Problem &p, std::int64_t tokens) {
  const auto fits = [&](const View &view, std::int64_t inner) {
    return view.data == nullptr ||
           indexable(
               {{inner, 1}, {tokens, view.stride[2]}, {p.state_heads, view.stride[1]}, {p.batches, view.stride[0]}});
  };
  const auto fits_groups = [&](const View &view, std::int64_t inner, std::int64_t group_stride, std::int64_t heads,
                               std::int64_t head_stride) {
    return indexable({{inner, 1},
                      {tokens, view.stride[2]},
                      {p.query_group, group_stride},
                      {heads, head_stride},
                      {p.batches, view.stride[0]}});
  };
  const auto state_fits = [&](const View &view) {
    return view.data == nullptr || indexable({{p.value_dim, 1},
                                              {p.key_dim, view.stride[2]},
                                              {p.state_heads, view.stride[1]},
                                              {p.batches, view.stride[0]}});
  };
  const std::int64_t state_size = p.key_dim * p.value_dim;
  return fits_groups(p.query, p.key_dim, p.query_group_stride, p.query_head.modulus, p.query_head_stride) &&
         fits_groups(p.output, p.value_dim, p.output_group_stride, p.state_heads, p.output_head_stride) &&
         indexable({{p.key_dim, 1},
                    {tokens, p.key.stride[2]},
                    {p.key_heads, p.key.stride[1]},
                    {p.batches, p.key.stride[0]}}) &&
         fits(p.value, p.value_dim) && fits(p.write, p.value_dim) && fits(p.erase, p.key_dim) &&
         fits(p.gate, p.rule == Rule::gdn ? 1 : p.key_dim) && fits(p.beta, 1) && state_fits(p.initial_state) &&
         state_fits(p.final_state) && indexable({{state_size, 1}, {p.heads(), state_size}});
}

void add_segment(Work &work, const Problem &problem, const KernelRow &row, std::int64_t tokens, std::int64_t calls) {
  if (calls == 0 || tokens == 0) return;
  std::int64_t first = 0;
  if (work.segment_count > 0) {
    const Segment &before = work.segments[work.segment_count - 1];
    first = before.first + before.tokens * before.calls;
  }
  const bool all_heads = row.parallel == Parallel::kernel && heads_fit_one_call(problem, tokens);
  work.segments[work.segment_count++] = {&row, first, tokens, calls, all_heads};
}

void divide_tokens(Work &work, const Problem &problem, const KernelChoice &kernels) {
  if (kernels.chunk == nullptr) return add_segment(work, problem, *kernels.step, 1, problem.tokens);
  const std::int64_t length = kernels.chunk_length, rest = problem.tokens % length;
  add_segment(work, problem, *kernels.chunk, length, problem.tokens / length);
  if (kernels.step == nullptr || rest >= kernels.min_chunk_rows) {
    add_segment(work, problem, *kernels.chunk, rest, 1);
  } else {
    add_segment(work, problem, *kernels.step, 1, rest);
  }
}

// With fewer heads than workers, cuts each head's value columns: they do not depend on one another.
void divide_columns(Work &work, const Problem &problem, int workers) {
  work.slices = 1, work.columns = problem.value_dim;
  const std::int64_t heads = problem.heads();
  if (heads == 0 || heads > workers / 2) return;
  for (int n = 0; n < work.segment_count; n++) {
    const Segment &segment = work.segments[n];
    if (segment.all_heads || segment.row->head_dim % kColumnUnit != 0) return;
  }
  const std::int64_t units = (problem.value_dim + kColumnUnit - 1) / kColumnUnit;
  const std::int64_t wanted = std::min(workers / heads, units);
  work.columns = (units + wanted - 1) / wanted * kColumnUnit;
  work.slices = (problem.value_dim + work.columns - 1) / work.columns;
  if (work.slices == 1) work.columns = problem.value_dim;
}

void measure_memory(Work &work, const Problem &problem, int workers) {
  ArenaLayout &memory = work.memory;
  bool any_all_heads = false;
  for (int n = 0; n < work.segment_count; n++) {
    const Segment &segment = work.segments[n];
    const std::int64_t bytes = kernel_scratch_bytes(*segment.row, problem);
    memory.slice = std::max(memory.slice, bytes);
    memory.first_slice = std::max(memory.first_slice, bytes);
    if (!segment.all_heads) continue;
    any_all_heads = true;
    // What such a kernel allocates outside its parallel loop is for all heads, and comes from the calling worker.
    memory.first_slice =
        std::max(memory.first_slice, saturating_add(bytes, saturating_multiply(bytes, problem.heads())));
  }
  memory.workers = std::max<std::int64_t>(1, std::min<std::int64_t>(workers, work.tasks));
  if (work.segment_count == 0) return;
  const std::int64_t row_bytes = problem.key_dim * std::int64_t{sizeof(float)};
  const bool absent = problem.final_state.data == nullptr;
  work.shared_state = absent && any_all_heads;
  work.own_state = !any_all_heads && (absent || (work.slices > 1 && problem.tokens >= kTokensWorthACopy));
  if (work.shared_state) {
    memory.shared = saturating_multiply(saturating_multiply(row_bytes, problem.value_dim), problem.heads());
  }
  if (work.own_state) memory.state = saturating_multiply(row_bytes, work.columns);
}

}  // namespace

Work divide_work(const Problem &problem, const KernelChoice &kernels, int workers) {
  Work work;
  divide_tokens(work, problem, kernels);
  divide_columns(work, problem, workers);
  work.tasks = saturating_multiply(problem.heads(), work.slices);
  measure_memory(work, problem, workers);
  return work;
}

}  // namespace sluice
