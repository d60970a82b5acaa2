#include "runtime/sequence.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>

#include "runtime/denormals.h"
#include "runtime/kernel_call.h"
#include "runtime/parallel.h"

namespace sluice {

namespace {

// Consecutive segments that tasks run on one state head each.
struct HeadLoop {
  const Problem &problem;
  const Work &work;
  int begin, end;  // segments
  View source;     // the state before the first of them; no data: zeros
  View state;      // the state they leave; no data: each worker's own
  View result;     // where a worker's own state goes when it is finished; no data: nowhere
};

Block task_block(const Problem &problem, const Work &work, std::int64_t task) {
  const std::int64_t slice = task % work.slices, head = task / work.slices;
  Block block;
  block.batch = head / problem.state_heads, block.head = head % problem.state_heads;
  block.column = slice * work.columns;
  block.columns = std::min(work.columns, problem.value_dim - block.column);
  return block;
}

float *state_rows(const View &view, const Block &block) {
  return view.data + block.batch * view.stride[0] + block.head * view.stride[1] + block.column;
}

void zero_state(const Problem &problem, const View &view, const Block &block) {
  float *row = state_rows(view, block);
  for (std::int64_t c = 0; c < problem.key_dim; c++, row += view.stride[2]) {
    std::memset(row, 0, static_cast<std::size_t>(block.columns) * sizeof(float));
  }
}

void copy_state(const Problem &problem, const View &from, const View &to, const Block &block) {
  const float *source = state_rows(from, block);
  float *row = state_rows(to, block);
  for (std::int64_t c = 0; c < problem.key_dim; c++, row += to.stride[2], source += from.stride[2]) {
    std::memcpy(row, source, static_cast<std::size_t>(block.columns) * sizeof(float));
  }
}

// A worker's own state, seen as if it were the whole problem's: every head is in the same place.
View own_state(const Worker &worker, const Work &work, const Block &block) {
  View view;
  view.data = worker.state - block.column;
  view.stride[2] = work.columns, view.stride[3] = 1;
  return view;
}

int run_heads(void *data, Worker &worker, TaskQueue &queue) {
  const HeadLoop &loop = *static_cast<const HeadLoop *>(data);
  const auto state_of = [&](const Block &block) {
    return loop.state.data != nullptr ? loop.state : own_state(worker, loop.work, block);
  };
  const View strides = state_of(Block{});
  std::optional<KernelCall> calls[3];
  for (int n = loop.begin; n < loop.end; n++) {
    const Segment &segment = loop.work.segments[n];
    const bool first = n == loop.begin && loop.source.data != nullptr;
    calls[n].emplace(loop.problem, *segment.row, segment.tokens, false, first ? loop.source : strides, strides, worker);
  }
  for (std::int64_t task = 0, following = 0; queue.next(worker, &task);) {
    const Block block = task_block(loop.problem, loop.work, task);
    const View state = state_of(block);
    std::optional<KernelCall::Ahead> ahead;
    if (loop.begin < loop.end && calls[loop.end - 1]->fetches() && queue.peek(worker, &following)) {
      ahead = KernelCall::Ahead{&*calls[loop.begin], task_block(loop.problem, loop.work, following),
                                loop.work.segments[loop.begin].first};
    }
    const float *source = loop.source.data;
    if (source == nullptr) {
      zero_state(loop.problem, state, block);
      source = state.data;
    } else if (loop.begin == loop.end && source != state.data) {
      copy_state(loop.problem, loop.source, state, block);
    }
    for (int n = loop.begin; n < loop.end; n++) {
      const Segment &segment = loop.work.segments[n];
      calls[n]->place(block, segment.first, source, state.data);
      const int code = calls[n]->run(segment.calls, n + 1 == loop.end && ahead ? &*ahead : nullptr);
      if (code != 0) return code;
      source = state.data;
    }
    if (loop.result.data != nullptr) copy_state(loop.problem, state, loop.result, block);
  }
  return 0;
}

// All states one after the other in shared scratch.
View shared_states(const Problem &problem, float *data) {
  View view;
  view.data = data;
  view.stride[3] = 1, view.stride[2] = problem.value_dim;
  view.stride[1] = problem.key_dim * problem.value_dim;
  view.stride[0] = problem.state_heads * view.stride[1];
  return view;
}

sluice_status kernel_failed(sluice_context &context, const Work &work, int begin, int end, int code) {
  if (code == kUnfinishedLoop) return SLUICE_INTERNAL;
  char text[512];
  std::snprintf(text, sizeof text, "%s%s%s failed with code %d", work.segments[begin].row->name,
                end - begin > 1 ? " or " : "", end - begin > 1 ? work.segments[end - 1].row->name : "", code);
  context.report_failure(text);
  if (code != halide_error_code_out_of_memory) return SLUICE_INTERNAL;
  return context.message.fail(SLUICE_OUT_OF_MEMORY, "%s: out of memory", work.segments[begin].row->name);
}

}  // namespace

sluice_status run_sequence(sluice_context &context, const Problem &problem, const Work &work) {
  const KernelFloatMode mode;
  Worker &self = context.arena.worker(0);
  View source = problem.initial_state;
  View state = work.shared_state ? shared_states(problem, context.arena.shared()) : problem.final_state;

  // Runs segments begin to end by heads; none: only prepares the state.
  const auto by_heads = [&](int begin, int end) {
    HeadLoop loop{problem, work, begin, end, source, work.own_state ? View{} : state, work.own_state ? state : View{}};
    const int code = run_tasks(self, work.tasks, run_heads, &loop);
    source = state;
    return code == 0 ? SLUICE_OK : kernel_failed(context, work, begin, end, code);
  };
  if (work.segment_count == 0) return state.data != nullptr ? by_heads(0, 0) : SLUICE_OK;

  for (int n = 0; n < work.segment_count;) {
    const Segment &segment = work.segments[n];
    if (!segment.all_heads) {
      int end = n + 1;
      while (end < work.segment_count && !work.segments[end].all_heads) end++;
      if (const sluice_status status = by_heads(n, end); status != SLUICE_OK) return status;
      n = end;
      continue;
    }
    if (source.data == nullptr) {
      if (const sluice_status status = by_heads(0, 0); status != SLUICE_OK) return status;
    }
    KernelCall call(problem, *segment.row, segment.tokens, true, source, state, self);
    call.place(Block{0, 0, 0, problem.value_dim}, segment.first, source.data, state.data);
    if (const int code = call.run(segment.calls, nullptr); code != 0) {
      return kernel_failed(context, work, n, n + 1, code);
    }
    source = state;
    n++;
  }
  return SLUICE_OK;
}

}  // namespace sluice
