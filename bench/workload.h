// A call to time: realistic numbers (l2-normalised keys, a trained layer's gates), placed in memory as an application
// would place them.
#pragma once

#include <cstdint>
#include <vector>

#include "program/aligned_vector.h"
#include "sluice/sluice.h"
#include "tests/problem.h"

namespace sluice::bench {

struct WorkloadOptions {
  test::Case problem;
  bool in_place = true;
  bool token_major = true;       // activations in memory as [B, T, H, D], as models hold them; else [B, H, T, D]
  std::int64_t alignment = 64;   // of every tensor, exactly: 16 is aligned to 16 bytes and not to 32
  std::int64_t call_tokens = 0;  // tokens a call; 0: all in one
};

class Workload {
 public:
  explicit Workload(const WorkloadOptions &options);
  Workload(const Workload &) = delete;
  Workload &operator=(const Workload &) = delete;

  // The calls that make one run, in order.
  const std::vector<sluice_gated_delta_rule_args> &calls() const { return calls_; }

  double token_heads() const;
  // Only the recurrence's own 6 K V operations a token and head count, however many a kernel spends.
  double operations() const;
  // What must move at least: inputs and outputs once, the state once in and once out.
  double bytes() const;
  std::size_t state_floats() const;

 private:
  void place(sluice_tensor &view, bool activations);
  float *claim(std::size_t floats);

  test::Shape shape_;
  WorkloadOptions options_;
  std::vector<AlignedVector<float>> memory_;
  std::size_t floats_ = 0;
  std::vector<sluice_gated_delta_rule_args> calls_;
};

}  // namespace sluice::bench
