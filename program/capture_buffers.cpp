#include "program/capture_buffers.h"

#include <algorithm>
#include <limits>

#include "program/error.h"

namespace sluice {
namespace {

constexpr float not_written = std::numeric_limits<float>::quiet_NaN();

AlignedVector<float> filled(std::int64_t size, float value) {
  return AlignedVector<float>(static_cast<std::size_t>(size), value);
}

// Swaps the two middle axes of [outer, first, second, width].
AlignedVector<float> swap_middle_axes(const AlignedVector<float> &from, std::int64_t outer, std::int64_t first,
                                      std::int64_t second, std::int64_t width) {
  AlignedVector<float> to(from.size());
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t i = 0; i < first; ++i) {
      for (std::int64_t j = 0; j < second; ++j) {
        const float *source = from.data() + ((o * first + i) * second + j) * width;
        std::copy_n(source, width, to.data() + ((o * second + j) * first + i) * width);
      }
    }
  }
  return to;
}

}  // namespace

CaptureBuffers::CaptureBuffers(const Capture &capture, Layout layout, StatePlacement placement)
    : capture_(capture),
      layout_(layout),
      placement_(placement),
      state_size_(capture.B * capture.Hv * capture.K * capture.V),
      output_(filled(capture.S * capture.B * capture.T * capture.output_heads() * capture.V, not_written)),
      states_(filled(capture.S * state_size_, not_written)) {
  if (placement == StatePlacement::in_place) running_state_ = filled(state_size_, 0);
  if (layout == Layout::bhtd) {
    const Capture &c = capture;
    const auto copy = [&](const AlignedVector<float> &stored, std::int64_t heads, std::int64_t width) {
      if (!stored.empty()) copies_[&stored] = swap_middle_axes(stored, c.S * c.B, c.T, heads, width);
    };
    copy(c.query, c.Hq, c.K);
    copy(c.key, c.Hk, c.K);
    copy(c.value, c.Hv, c.V);
    copy(c.gate, c.Hv, c.rule == SLUICE_GDN ? 1 : c.K);
    copy(c.beta, c.Hv, 1);
    copy(c.erase, c.Hv, c.K);
    copy(c.write, c.Hv, c.V);
  }
  restore();
}

sluice_gated_delta_rule_args CaptureBuffers::arguments(std::int64_t step) {
  const Capture &c = capture_;
  sluice_gated_delta_rule_args args;
  sluice_gated_delta_rule_args_init(&args);
  args.rule = c.rule;
  args.gate_kind = c.gate_kind;
  args.head_map = SLUICE_HEAD_MAP_DIVIDE;
  args.state_layout = SLUICE_STATE_KV;
  args.l2norm = c.l2norm ? 1 : 0;
  args.l2norm_eps = c.l2norm_eps;
  args.scale = c.scale;
  args.query = token_tensor(c.query, step, c.Hq, c.K, 4);
  args.key = token_tensor(c.key, step, c.Hk, c.K, 4);
  args.value = token_tensor(c.value, step, c.Hv, c.V, 4);
  args.gate = c.rule == SLUICE_GDN ? token_tensor(c.gate, step, c.Hv, 1, 3) : token_tensor(c.gate, step, c.Hv, c.K, 4);
  if (c.rule == SLUICE_GDN2) {
    args.erase = token_tensor(c.erase, step, c.Hv, c.K, 4);
    args.write = token_tensor(c.write, step, c.Hv, c.V, 4);
  } else {
    args.beta = token_tensor(c.beta, step, c.Hv, 1, 3);
  }
  args.output = token_tensor(output_, step, c.output_heads(), c.V, 4);
  if (placement_ == StatePlacement::in_place) {
    args.initial_state = args.final_state = state_tensor(running_state_.data());
  } else {
    args.final_state = state_tensor(state_after(step));
    if (step > 0) {
      args.initial_state = state_tensor(state_after(step - 1));
    } else if (!c.initial_state.empty()) {
      args.initial_state = state_tensor(c.initial_state.data());
    }
  }
  return args;
}

void CaptureBuffers::restore() {
  std::fill(output_.begin(), output_.end(), not_written);
  std::fill(states_.begin(), states_.end(), not_written);
  if (placement_ == StatePlacement::out_of_place) return;
  std::fill(running_state_.begin(), running_state_.end(), 0.0F);
  std::copy(capture_.initial_state.begin(), capture_.initial_state.end(), running_state_.begin());
}

void CaptureBuffers::keep_state(std::int64_t step) {
  std::copy(running_state_.begin(), running_state_.end(), states_.begin() + step * state_size_);
}

double CaptureBuffers::output_error() const {
  const Capture &c = capture_;
  const std::int64_t heads = c.output_heads(), call_size = c.B * c.T * heads * c.V;
  double worst = 0;
  for (std::int64_t step = 0; step < c.S; ++step) {
    const double *expected = c.expected_output.data() + step * call_size;
    const sluice_tensor actual = token_tensor(output_, step, heads, c.V, 4);
    worst = std::max(worst, head_error(actual, expected, {c.T * heads * c.V, c.V, heads * c.V, 1}));
  }
  return worst;
}

double CaptureBuffers::state_error() const {
  const Capture &c = capture_;
  double worst = head_error(state_tensor(state_after(c.S - 1)), c.expected_final_state.data());
  if (c.phase == Phase::decode) {
    for (std::int64_t step = 0; step < c.S; ++step) {
      const double *expected = c.expected_step_states.data() + step * state_size_;
      worst = std::max(worst, head_error(state_tensor(state_after(step)), expected));
    }
  }
  return worst;
}

AlignedVector<float> CaptureBuffers::output_bthd() const {
  if (layout_ == Layout::bthd) return output_;
  return swap_middle_axes(output_, capture_.S * capture_.B, capture_.output_heads(), capture_.T, capture_.V);
}

sluice_tensor CaptureBuffers::token_tensor(const AlignedVector<float> &stored, std::int64_t step, std::int64_t heads,
                                           std::int64_t width, std::int32_t rank) const {
  const std::int64_t B = capture_.B, T = capture_.T;
  const auto copy = copies_.find(&stored);
  const float *data = (copy == copies_.end() ? stored : copy->second).data();
  sluice_tensor tensor{};
  // The operator's descriptor has one pointer type; inputs are never written.
  tensor.data = const_cast<float *>(data + step * B * T * heads * width);
  tensor.dtype = SLUICE_F32;
  tensor.rank = rank;
  const std::int64_t shape[] = {B, heads, T, width};
  const std::int64_t bthd[] = {T * heads * width, width, heads * width, 1};
  const std::int64_t bhtd[] = {heads * T * width, T * width, width, 1};
  std::copy_n(shape, rank, tensor.shape);
  std::copy_n(layout_ == Layout::bhtd ? bhtd : bthd, rank, tensor.stride);
  return tensor;
}

sluice_tensor CaptureBuffers::state_tensor(const float *data) const {
  const std::int64_t K = capture_.K, V = capture_.V;
  return {
      const_cast<float *>(data), SLUICE_F32, 4, {capture_.B, capture_.Hv, K, V}, {capture_.Hv * K * V, K * V, V, 1}};
}

}  // namespace sluice
