// One kernel with its arguments in place: built once per worker and segment, moved from head to head and from token to
// token by bumping pointers.
#pragma once

#include <HalideRuntime.h>

#include <cstdint>

#include "runtime/arena.h"
#include "runtime/kernel.h"
#include "runtime/problem.h"

namespace sluice {

// The part of a problem that a call works on: one state head, or all of them, and a range of value columns.
struct Block {
  std::int64_t batch = 0, head = 0;
  std::int64_t column = 0, columns = 0;
};

class KernelCall {
 public:
  // Each call takes `tokens` tokens of one head, or of all heads and batches. The first one after each place() reads
  // `source` and all write `state`: views of the whole problem's states, of which place() may move the data.
  KernelCall(const Problem &problem, const KernelRow &row, std::int64_t tokens, bool all_heads, const View &source,
             const View &state, Worker &worker);
  KernelCall(const KernelCall &) = delete;
  KernelCall &operator=(const KernelCall &) = delete;

  // Where a worker will go after a run.
  struct Ahead {
    const KernelCall *call;
    Block block;
    std::int64_t first_token;
  };

  // Moves to a block, its first token and the states' data.
  void place(const Block &block, std::int64_t first_token, const float *source, float *state);

  // Makes `calls` calls, one after the other; all but the first continue in place on the state. 0 or the kernel's code.
  // Chunks fetch the rows of the next chunk meanwhile, the last one of what the worker will do next, if that is known.
  int run(std::int64_t calls, const Ahead *ahead);

  // Whether its calls fetch anything.
  bool fetches() const { return row_.op == Op::chunk; }

 private:
  static constexpr int kMostDimensions = 5, kMostTokenBuffers = 7, kMostArguments = 20;

  struct Buffer {
    halide_buffer_t raw;
    halide_dimension_t dimensions[kMostDimensions];
  };
  struct Axis {
    std::int64_t extent, stride;
  };

  // A tensor whose tokens are walked: where its block starts and how far the next call is.
  struct TokenTensor {
    const View *view;
    const HeadMap *map;  // state head -> head; nullptr: the same
    std::int64_t head_stride;
    bool by_column;  // innermost axis is V
    std::int64_t step_bytes;
    PrefetchRange rows;  // of one call; no base
    Buffer buffer;
  };

  const KernelRow &row_;
  Worker &worker_;
  void *user_context_;
  TokenTensor tensors_[kMostTokenBuffers];
  int tensor_count_ = 0;
  View source_view_, state_view_;
  Buffer source_, state_;
  std::int32_t switches_[6];
  void *arguments_[kMostArguments];
  std::int64_t columns_ = -1;
  std::int64_t requests_ = 0;  // for lines, that the last call made

  template <int count>
  static void describe(Buffer &buffer, const Axis (&axes)[count]);
  TokenTensor &add(const View &view, const HeadMap *map, std::int64_t head_stride, bool by_column, std::int64_t tokens);
  void set_columns(std::int64_t columns);
  static float *address(const TokenTensor &tensor, const Block &block, std::int64_t first_token);
  // Has the rows of a tensor, from `base` on, fetched during the call that comes next.
  void plan(const TokenTensor &tensor, const void *base) const;
};

}  // namespace sluice
