// A capture's tensors in one memory layout, described as arguments of the operator, and room for its results.
#pragma once

#include <cstdint>
#include <map>

#include "program/capture.h"

namespace sluice {

/// The order of axes in memory. Captures are stored as bthd.
enum class Layout : std::uint8_t { bthd, bhtd };

enum class StatePlacement : std::uint8_t {
  out_of_place,  // each call writes a new state
  in_place,      // one state, updated by each call
};

/// Use, for every repetition:  restore(); then for each step s: operator(arguments(s)); keep_state(s).
class CaptureBuffers {
 public:
  /// `capture` must outlive this object. bthd refers to the capture's own memory, bhtd to copies.
  CaptureBuffers(const Capture &capture, Layout layout, StatePlacement placement);

  /// Arguments of call `step` of capture.S.
  sluice_gated_delta_rule_args arguments(std::int64_t step);

  /// Puts the initial state back and fills results with NaN, so that what a call fails to write counts as an error.
  void restore();

  /// To be called after call `step`: copies the state aside where the next call would overwrite it.
  void keep_state(std::int64_t step);

  /// The error of all outputs against expected_output, call by call (see program/error.h).
  double output_error() const;

  /// The error of the state after every call, and of the final one, against the expected ones.
  double state_error() const;

  /// [S, B, T, Ho, V], whatever the layout.
  AlignedVector<float> output_bthd() const;

  /// [S, B, Hv, K, V]; the last is the final state.
  const AlignedVector<float> &states() const { return states_; }

 private:
  sluice_tensor token_tensor(const AlignedVector<float> &stored, std::int64_t step, std::int64_t heads,
                             std::int64_t width, std::int32_t rank) const;
  sluice_tensor state_tensor(const float *data) const;
  const float *state_after(std::int64_t step) const { return states_.data() + step * state_size_; }

  const Capture &capture_;
  Layout layout_;
  StatePlacement placement_;
  std::int64_t state_size_;
  std::map<const AlignedVector<float> *, AlignedVector<float>> copies_;  // bhtd copies, by the tensor they are of
  AlignedVector<float> output_;
  AlignedVector<float> states_;         // after each call
  AlignedVector<float> running_state_;  // in place only
};

}  // namespace sluice
