/* Sluice: CPU kernels for the gated delta rule (Gated DeltaNet, Kimi Delta Attention, Gated DeltaNet-2).
 *
 * For one state head, S is a K x V matrix. Token t brings query q and key k in R^K, a value v in R^V, a decay a
 * (a scalar or one per channel), an erase key e and a write value z:
 *
 *     S <- diag(a) S;   delta = z - S^T e;   S <- S + k (x) delta;   o = scale * S^T q
 *
 *     gdn   scalar decay, e = beta k, z = beta v              Gated DeltaNet          (arXiv 2412.06464)
 *     kda   a decay per channel, e = beta k, z = beta v       Kimi Delta Attention    (arXiv 2510.26692)
 *     gdn2  a decay per channel, e = erase * k, z = write * v  Gated DeltaNet-2
 *
 * Every function is safe to call from any thread; a context serves one call at a time.
 * C11 and C++17. No function prints, aborts, raises a signal or throws.
 */
#ifndef SLUICE_SLUICE_H
#define SLUICE_SLUICE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SLUICE_VERSION_MAJOR 0
#define SLUICE_VERSION_MINOR 1
#define SLUICE_VERSION_PATCH 0

#if defined(SLUICE_SHARED) && defined(_WIN32)
#ifdef SLUICE_BUILDING
#define SLUICE_API __declspec(dllexport)
#else
#define SLUICE_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define SLUICE_API __attribute__((visibility("default")))
#else
#define SLUICE_API
#endif

/* ---------------------------------------------------------------- status */

typedef enum sluice_status {
  SLUICE_OK = 0,
  SLUICE_INVALID_ARGUMENT = 1, /* the message names the argument, what was expected and what was given */
  SLUICE_UNSUPPORTED = 2,      /* legal, but no kernel of this build can do it on this CPU */
  SLUICE_OUT_OF_MEMORY = 3,
  SLUICE_BUSY = 4,    /* another thread is inside a call on this context */
  SLUICE_INTERNAL = 5 /* a kernel reported a failure: a defect in Sluice */
} sluice_status;

/* ---------------------------------------------------------------- tensors */

typedef enum sluice_dtype { SLUICE_F32 = 0 } sluice_dtype;

#define SLUICE_MAX_RANK 4

/* A strided view. `stride` counts elements, not bytes. `data` NULL means absent (where that is allowed).
 * Axes are always in the logical order documented at the call; how memory is laid out ([B,H,T,D], [B,T,H,D], a slice
 * of a packed projection) is expressed by strides alone. An axis of extent 0 or 1 has no stride requirement.
 * Inputs are never written; their strides may be 0 or negative. */
typedef struct sluice_tensor {
  void *data;
  int32_t dtype; /* sluice_dtype */
  int32_t rank;
  int64_t shape[SLUICE_MAX_RANK];
  int64_t stride[SLUICE_MAX_RANK];
} sluice_tensor;

/* ---------------------------------------------------------------- context */

typedef struct sluice_context sluice_context;

/* Runs task(task_data, 0) ... task(task_data, count - 1), in any order, on any threads, each index once; returns when
 * all have returned. May run them one after the other on the calling thread. */
typedef void (*sluice_task)(void *task_data, int32_t index);
typedef void (*sluice_parallel_for)(void *user_data, int32_t count, sluice_task task, void *task_data);

typedef struct sluice_context_options {
  size_t struct_size;               /* sizeof(sluice_context_options) */
  int32_t workers;                  /* >= 1: most tasks in flight at once, each with its own scratch */
  uint32_t reserved0;               /* 0 */
  sluice_parallel_for parallel_for; /* NULL: threads of the context's own */
  void *parallel_for_data;
  /* Kernel choice; NULL or "" leaves it to the dispatcher. */
  const char *isa;      /* use no kernel above this one: base | avx2 | avx512 | neon. Default: SLUICE_ISA */
  const char *schedule; /* prefer rows of this schedule, for the op that has it and where one fits the call */
  const char *kernel;   /* this kernel and no other runs the whole call. Default: SLUICE_KERNEL. SLUICE_UNSUPPORTED if
                           it is unknown or this CPU cannot run it (at creation), or it does not fit (at the call) */
  uint64_t reserved[4]; /* 0 */
} sluice_context_options;

/* Fills `options` with defaults: one worker, own threads, the dispatcher's choice of kernels. */
SLUICE_API void sluice_context_options_init(sluice_context_options *options);

/* Makes a context. `options` NULL means the defaults. On failure *context is NULL and sluice_error_message(NULL) says
 * why. The environment variables SLUICE_ISA and SLUICE_KERNEL are read once per process, by the first call. */
SLUICE_API sluice_status sluice_context_create(const sluice_context_options *options, sluice_context **context);

/* NULL is allowed. The context must not be inside a call. Ends the context's threads, so it must run in the process
 * that made the context: after fork() the child has none of them, and may neither call with the context nor destroy it.
 */
SLUICE_API void sluice_context_destroy(sluice_context *context);

/* What the last failed call on this context said; "" if none failed. Valid until the next call on the context.
 * NULL: what the last failed call without a context said on this thread. */
SLUICE_API const char *sluice_error_message(const sluice_context *context);

/* "OK", "INVALID_ARGUMENT", ... */
SLUICE_API const char *sluice_status_name(sluice_status status);

/* "0.1.0" */
SLUICE_API const char *sluice_version(void);

/* ---------------------------------------------------------------- the operator */

typedef enum sluice_rule { SLUICE_GDN = 0, SLUICE_KDA = 1, SLUICE_GDN2 = 2 } sluice_rule;

typedef enum sluice_gate_kind {
  SLUICE_GATE_DECAY = 0,    /* gate is the decay itself, usually in [0, 1]; 0 is exact */
  SLUICE_GATE_LOG_DECAY = 1 /* gate is its natural logarithm; -inf is exact */
} sluice_gate_kind;

/* Which key head serves state head s, with r = Hs / Hk. */
typedef enum sluice_head_map {
  SLUICE_HEAD_MAP_DIVIDE = 0, /* s / r  (Hugging Face, FLA, ONNX Runtime) */
  SLUICE_HEAD_MAP_MODULO = 1  /* s % Hk (ggml) */
} sluice_head_map;

typedef enum sluice_state_layout {
  SLUICE_STATE_KV = 0, /* [.., K, V], stride 1 along V */
  SLUICE_STATE_VK = 1  /* reserved: refused today */
} sluice_state_layout;

/* Shapes; B batches, T tokens, Hq/Hk/Hs query/key/state heads, Hv = Hs value heads, Ho = max(Hq, Hs), K >= 1, V >= 1:
 *
 *   query          [B, Hq, T, K]                    stride 1 along K
 *   key            [B, Hk, T, K]                    stride 1 along K
 *   value          [B, Hs, T, V]                    stride 1 along V
 *   gate           gdn  [B, Hs, T]                  any strides
 *                  kda, gdn2  [B, Hs, T, K]         stride 1 along K
 *   beta           gdn, kda  [B, Hs, T]             any strides
 *   erase          gdn2  [B, Hs, T, K]              stride 1 along K
 *   write          gdn2  [B, Hs, T, V]              stride 1 along V
 *   initial_state  [B, Hs, K, V], absent = zeros    stride 1 along V
 *   output         [B, Ho, T, V]                    stride 1 along V
 *   final_state    [B, Hs, K, V], absent = dropped  stride 1 along V
 *
 * Heads: Hs % Hk == 0, head_map says which key head a state head uses. Either Hs % Hq == 0 (query heads map like key
 * heads) or Hq % Hs == 0: g = Hq / Hs query heads read one state; query head h reads state h / g (DIVIDE) or h % Hs
 * (MODULO). B and T may be 0, and so may Hs with Hq. T = 0 copies the state. K and V are at most 2^20.
 *
 * Which arguments a rule takes is fixed: beta with gdn2, or erase or write without it, is an error. data may be NULL
 * where the shape has no elements. Addresses are multiples of 4.
 *
 * Aliasing: final_state may be exactly initial_state (same data, shape and strides: in place). Any other overlap
 * between an output and another tensor is an error. Output strides must be positive and reach each element once.
 *
 * Numbers: arithmetic is fp32 with denormals read and written as zero, in the operands too (an l2norm_eps below 1.2e-38
 * is 0). Infinities and NaNs in one state head never reach another; within a head they may reach outputs of up to three
 * earlier tokens. For finite inputs no output depends on a later token.
 *
 * Limits: (token stride) x (chunk length), (query head stride) x g and K x (state row stride) must stay below 2^31
 * elements. */
typedef struct sluice_gated_delta_rule_args {
  size_t struct_size;   /* sizeof(sluice_gated_delta_rule_args) */
  int32_t rule;         /* sluice_rule */
  int32_t gate_kind;    /* sluice_gate_kind */
  int32_t head_map;     /* sluice_head_map */
  int32_t state_layout; /* sluice_state_layout */
  int32_t l2norm;       /* 1: query and key become x / sqrt(sum(x^2) + l2norm_eps) first; 0: as given */
  float l2norm_eps;     /* finite, >= 0 */
  float scale;          /* finite; multiplies the output; 0 is legal */
  uint32_t reserved0;   /* 0 */
  sluice_tensor query, key, value, gate, beta, erase, write;
  sluice_tensor initial_state;
  sluice_tensor output, final_state;
  uint64_t reserved[8]; /* 0 */
} sluice_gated_delta_rule_args;

/* Zeroes everything, then struct_size, l2norm_eps = 1e-6, scale = 1. */
SLUICE_API void sluice_gated_delta_rule_args_init(sluice_gated_delta_rule_args *args);

/* Computes the operator. All arguments are checked before anything is written; on an error nothing is written, except
 * that SLUICE_INTERNAL may leave output and final_state half done.
 * Results depend neither on the number of workers nor on cutting a sequence at multiples of the plan's chunk length
 * (bitwise). Denormals are flushed during the call on every thread that takes part; each thread's floating-point mode
 * is restored. After a first call with a shape, a call of that shape makes no heap allocation. */
SLUICE_API sluice_status sluice_gated_delta_rule(sluice_context *context, const sluice_gated_delta_rule_args *args);

typedef struct sluice_plan {
  size_t struct_size;       /* sizeof(sluice_plan), set by the caller */
  const char *chunk_kernel; /* NULL if no token goes through a chunk kernel */
  const char *step_kernel;  /* NULL if no token goes through a step kernel */
  int64_t chunk_length;     /* C: cuts at multiples of it change no bit. 1 where no chunk kernel exists */
  int64_t min_chunk_rows;   /* r0: a ragged end of at least this many tokens is one chunk, a shorter one steps */
  int64_t scratch_bytes;    /* of the context's one block, for each worker that has a task */
  int64_t tasks;            /* independent pieces of work the call has for workers */
  uint64_t reserved[4];
} sluice_plan;

/* Checks the arguments as the call itself would and says how it would run. Writes nothing but *plan. */
SLUICE_API sluice_status sluice_gated_delta_rule_plan(sluice_context *context, const sluice_gated_delta_rule_args *args,
                                                      sluice_plan *plan);

/* ---------------------------------------------------------------- the kernel table */

typedef struct sluice_kernel_info {
  size_t struct_size;     /* sizeof(sluice_kernel_info), set by the caller */
  const char *name;       /* sluice_<op>_<rule>_<dtype>_d<D|any>_<schedule>_<isa> */
  const char *op;         /* step | chunk */
  const char *rule;       /* gdn | kda | gdn2 */
  const char *dtype;      /* f32 */
  const char *schedule;   /* one_pass, register_tiled, ... */
  const char *isa;        /* base | avx2 | avx512 | neon */
  const char *set;        /* ship | study */
  const char *parallel;   /* who runs heads in parallel: runtime | kernel */
  int32_t head_dim;       /* K = V = head_dim; 0 = any */
  int32_t chunk_length;   /* C; 1 for a step */
  int32_t min_chunk_rows; /* r0; 1 for a step */
  int32_t runnable;       /* 1 if this CPU can run it */
  uint64_t reserved[4];
} sluice_kernel_info;

/* Rows in priority order: for a shape, the first runnable one that fits is used. */
SLUICE_API size_t sluice_kernel_count(void);
SLUICE_API sluice_status sluice_kernel_at(size_t index, sluice_kernel_info *info);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* SLUICE_SLUICE_H */
