// The kernel table: one row per compiled kernel. Everything that runs, tests or times kernels reads this table.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice {

enum class Op : std::uint8_t { step, chunk };
enum class Rule : std::uint8_t { gdn, kda, gdn2 };
enum class Dtype : std::uint8_t { f32 };
enum class Isa : std::uint8_t { base, avx2, avx512, neon };
enum class KernelSet : std::uint8_t { ship, study };
enum class Parallel : std::uint8_t {
  runtime,  // a kernel call takes one state head; the runtime hands heads to workers
  kernel,   // a kernel call takes all batches and heads; the schedule runs them in parallel
};

// A compiled Halide pipeline, called with pointers to its arguments. The order is fixed for all kernels; dimensions are
// listed innermost first, as Halide has them. h and b have extent 1 where the runtime runs heads in parallel.
//
//    user_context     void *
//    query            (c, t, g, query head, b)   g = query heads that read one state (extent 1 unless Hq > Hs)
//    key              (c, t, key head, b)
//    value            (v, t, h, b)
//    gate             gdn: (t, h, b); kda, gdn2: (c, t, h, b)
//    beta             gdn, kda: (t, h, b)        gdn2 has two arguments here: erase (c, t, h, b), write (v, t, h, b)
//    initial_state    (v, c, h, b)
//    scale            float
//    l2norm_eps       float
//    l2norm           int32, 0 or 1
//    gate_is_log      int32, 0 or 1
//    key_head_divisor, key_head_modulus       int32   key head of h   = (h / divisor) % modulus
//    query_head_divisor, query_head_modulus   int32   query head of h = (h / divisor) % modulus
//    output           (v, t, g, h, b)
//    final_state      (v, c, h, b)
//
// A chunk kernel takes 1..chunk_length tokens (the extent of t), a step kernel one. Innermost strides are 1 except for
// rank-3 gate and beta. final_state may be initial_state.
using KernelFunction = int (*)(void **arguments);

// Where a kernel has a constant head dim, V is it, or a part of it that is a multiple of this: a head may be cut along
// V.
constexpr int kColumnUnit = 64;

struct KernelRow {
  const char *name;
  Op op;
  Rule rule;
  Dtype dtype;
  int head_dim;  // K = V = head_dim; 0 = any
  const char *schedule;
  Isa isa;
  KernelSet set;
  Parallel parallel;
  int chunk_length;    // C; 1 for a step
  int min_chunk_rows;  // r0; 1 for a step
  KernelFunction function;
};

}  // namespace sluice
