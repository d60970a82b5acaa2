// A capture: the inputs of one use of the gated delta rule and the fp64 results a reference computed from them.
// The file format is described in tests/data/README.md.
#pragma once

#include <cstdint>
#include <string>

#include "program/aligned_vector.h"
#include "program/safetensors.h"
#include "sluice/sluice.h"

namespace sluice {

enum class Phase : std::uint8_t {
  prefill,  // one call with T tokens
  decode,   // S calls with one token each; each takes the state the one before left
};

/// Tensors are contiguous in the order [B, T, H, D] (decode: [S, B, T, H, D]) and have the shapes of sluice.h
/// otherwise. Value head h uses key head h / (Hv / Hk). Tensors that the rule does not have are empty.
struct Capture {
  std::string file;
  sluice_rule rule = SLUICE_GDN;
  Phase phase = Phase::prefill;
  sluice_gate_kind gate_kind = SLUICE_GATE_LOG_DECAY;
  std::int64_t S = 1;  // calls; 1 for prefill
  std::int64_t B = 0, T = 0, Hq = 0, Hk = 0, Hv = 0, K = 0, V = 0;
  float scale = 1;
  bool l2norm = false;
  float l2norm_eps = 0;

  AlignedVector<float> query, key, value, gate, beta, erase, write;
  AlignedVector<float> initial_state;  // [B, Hv, K, V]; empty = zeros

  AlignedVector<double> expected_output;       // [S, B, T, Ho, V]
  AlignedVector<double> expected_final_state;  // [B, Hv, K, V]
  AlignedVector<double> expected_step_states;  // decode: [S, B, Hv, K, V]

  /// Ho = max(Hq, Hv)
  std::int64_t output_heads() const { return Hq > Hv ? Hq : Hv; }
};

/// Checks that metadata and tensors are complete and agree. Throws FileError; `name` stands for the file in messages.
Capture make_capture(Safetensors contents, const std::string &name);

/// Reads a capture file. Throws FileError.
Capture read_capture(const std::string &path);

/// "gdn", "kda", "gdn2"
const char *rule_name(sluice_rule rule);

/// "prefill", "decode"
const char *phase_name(Phase phase);

}  // namespace sluice
