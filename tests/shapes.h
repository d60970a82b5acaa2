// The one list of shapes: tests and benchmarks take theirs from here.
#pragma once

#include <cstdint>
#include <vector>

namespace sluice::test {

struct Shape {
  std::int64_t B = 1, T = 1, Hq = 1, Hk = 1, Hs = 1, K = 128, V = 128;
};

struct HeadSize {
  std::int64_t K, V;
};

struct HeadCounts {
  std::int64_t Hq, Hk, Hs;
};

// Every place where a sequence of chunks of length C can end differently, and one that is long.
inline std::vector<std::int64_t> sequence_lengths(std::int64_t C) { return {0, 1, C - 1, C, C + 1, 2 * C + 3, 200}; }

// Head dims that only `any` kernels take: odd, smaller than a vector, K != V, one past a tile.
inline constexpr HeadSize odd_head_sizes[] = {{1, 1},    {1, 129},  {3, 7},    {7, 3},    {60, 100},
                                              {96, 129}, {129, 96}, {64, 128}, {128, 64}, {192, 192}};

// Hs = Hk; one key head for all; grouped keys; fewer query than key heads; several queries read one state.
inline constexpr HeadCounts head_groupings[] = {{1, 1, 1}, {2, 2, 2}, {1, 1, 4}, {2, 2, 4}, {4, 2, 4},
                                                {2, 4, 4}, {2, 1, 1}, {4, 2, 2}, {6, 1, 3}, {8, 2, 4}};

struct ModelShape {
  const char *name;
  Shape shape;  // T = 1: a decode step
};

// One layer of published models.
inline constexpr ModelShape model_shapes[] = {
    {"kimi_linear", {1, 1, 32, 32, 32, 128, 128}},
    {"qwen3_next", {1, 1, 16, 16, 32, 128, 128}},
};

// What benchmarks time.
inline constexpr int model_head_dims[] = {64, 128, 256};
inline constexpr int decode_heads[] = {8, 32, 128, 512};  // from a state that fits in cache to one that fits in none
inline constexpr int prefill_heads = 8;
inline constexpr int prefill_tokens[] = {16, 64, 128, 512, 2048, 8192};
inline constexpr HeadSize benchmarked_any_sizes[] = {{96, 96}, {60, 100}};

}  // namespace sluice::test
