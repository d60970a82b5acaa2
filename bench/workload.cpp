#include "bench/workload.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "tests/layout.h"

namespace sluice::bench {
namespace {

constexpr std::int64_t line_bytes = 64;

std::int64_t elements(const sluice_tensor &view) {
  std::int64_t count = 1;
  for (int axis = 0; axis < view.rank; ++axis) count *= view.shape[axis];
  return count;
}

}  // namespace

Workload::Workload(const WorkloadOptions &options) : shape_(options.problem.shape), options_(options) {
  if (options.alignment < 4 || options.alignment > line_bytes || (options.alignment & (options.alignment - 1)) != 0) {
    throw std::invalid_argument("align: expected 4, 8, 16, 32 or 64, is " + std::to_string(options.alignment));
  }
  test::Problem problem(options.problem);
  sluice_gated_delta_rule_args args = options.in_place ? problem.in_place_args() : problem.args();
  for (sluice_tensor *view :
       {&args.query, &args.key, &args.value, &args.gate, &args.beta, &args.erase, &args.write, &args.output}) {
    place(*view, true);
  }
  place(args.final_state, false);
  if (options.in_place) {
    args.initial_state = args.final_state;
  } else {
    place(args.initial_state, false);
  }

  const std::int64_t step = options.call_tokens > 0 ? options.call_tokens : shape_.T;
  for (std::int64_t t = 0; t < shape_.T; t += step) {
    calls_.push_back(test::tokens(args, t, std::min(step, shape_.T - t)));
    args.initial_state = args.final_state;
  }
}

float *Workload::claim(std::size_t floats) {
  // Allocations that start at the same place of a page make a kernel's loads and stores collide: some lines apart.
  constexpr std::size_t line = line_bytes / sizeof(float);
  const std::size_t shift = 5 * line * (memory_.size() + 1);
  const std::size_t misalignment = static_cast<std::size_t>(options_.alignment % line_bytes) / sizeof(float);
  memory_.emplace_back(floats + shift + line);
  floats_ += floats;
  return memory_.back().data() + shift + misalignment;
}

void Workload::place(sluice_tensor &view, bool activations) {
  if (view.data == nullptr) return;
  const sluice_tensor from = view;
  std::vector<int> order;  // innermost first
  for (int axis = view.rank - 1; axis >= 0; --axis) order.push_back(axis);
  if (activations && options_.token_major) std::swap(order[order.size() - 2], order[order.size() - 3]);
  std::int64_t stride = 1;
  for (const int axis : order) {
    view.stride[axis] = stride;
    stride *= view.shape[axis];
  }
  view.data = claim(static_cast<std::size_t>(elements(view)));
  const std::vector<float> values = test::gather(from);
  std::size_t next = 0;
  test::for_each_element(view, [&](float &element) { element = values[next++]; });
}

double Workload::token_heads() const { return static_cast<double>(shape_.B * shape_.Hs * shape_.T); }

double Workload::operations() const { return 6.0 * static_cast<double>(shape_.K * shape_.V) * token_heads(); }

double Workload::bytes() const {
  const std::size_t again = options_.in_place ? state_floats() : 0;  // one state, read and written
  return static_cast<double>(sizeof(float) * (floats_ + again));
}

std::size_t Workload::state_floats() const {
  return static_cast<std::size_t>(shape_.B * shape_.Hs * shape_.K * shape_.V);
}

}  // namespace sluice::bench
