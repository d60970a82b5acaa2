// How a call is divided: along its tokens into segments of equal kernel calls, and over heads and value columns into
// tasks; and the memory that takes.
#pragma once

#include <cstdint>

#include "runtime/arena.h"
#include "runtime/dispatch.h"
#include "runtime/problem.h"

namespace sluice {

// `calls` calls of `tokens` tokens each.
struct Segment {
  const KernelRow *row;
  std::int64_t first, tokens, calls;
  bool all_heads;  // each call takes all heads and runs them in parallel itself
};

struct Work {
  Segment segments[3];  // full chunks, a ragged chunk or steps; none if there are no tokens
  int segment_count = 0;
  std::int64_t slices = 1;   // tasks per state head, each with a range of value columns
  std::int64_t columns = 0;  // of all slices but the last, which has what is left
  std::int64_t tasks = 0;
  ArenaLayout memory;
  bool own_state = false;     // a task's state is kept in its worker's scratch until the task is done
  bool shared_state = false;  // without a final state, all states are kept in shared scratch
};

Work divide_work(const Problem &problem, const KernelChoice &kernels, int workers);

}  // namespace sluice
