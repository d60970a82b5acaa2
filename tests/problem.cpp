#include "tests/problem.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "tests/layout.h"

namespace sluice::test {
namespace {

constexpr float canary = std::numeric_limits<float>::quiet_NaN();

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double uniform() { return std::uniform_real_distribution<double>(0.0, 1.0)(engine_); }
  double normal() { return std::normal_distribution<double>()(engine_); }

 private:
  std::mt19937_64 engine_;
};

double random_decay(Gate gate, Random &random) {
  const double u = random.uniform();
  switch (gate) {
    case Gate::ordinary:
      return std::exp(-0.2 * u);
    case Gate::one:
      return 1.0;
    case Gate::zero:
      return 0.0;
    case Gate::tiny:
      return 1e-12;
    case Gate::small:
      return 0.003;
    case Gate::wide:
      return std::exp(-20.0 * u);
    case Gate::zero_or_one:
      return u < 0.5 ? 0.0 : 1.0;
  }
  return 1.0;
}

double random_beta(Beta beta, Random &random) {
  const double u = random.uniform();
  switch (beta) {
    case Beta::ordinary:
      return u;
    case Beta::zero:
      return 0.0;
    case Beta::one:
      return 1.0;
    case Beta::up_to_two:
      return 2.0 * u;
  }
  return u;
}

template <typename Value>
void fill(const sluice_tensor &view, Value next) {
  for_each_element(view, [&](float &element) { element = static_cast<float>(next()); });
}

// Rows of one length: with keys longer than 1 the recurrence itself diverges.
void fill_rows(const sluice_tensor &view, double norm, Random &random) {
  const auto length = static_cast<std::size_t>(view.shape[3]);
  std::vector<double> row(length);
  std::size_t next = length;
  fill(view, [&] {
    if (next == length) {
      double sum = 0;
      for (double &x : row) {
        x = random.normal();
        sum += x * x;
      }
      for (double &x : row) x *= norm / std::sqrt(sum);
      next = 0;
    }
    return row[next++];
  });
}

}  // namespace

Problem::Problem(const Case &problem) : case_(problem) {
  const auto [B, T, Hq, Hk, Hs, K, V] = problem.shape;
  const bool channels = problem.rule != SLUICE_GDN;
  const auto make = [&](const std::vector<std::int64_t> &shape, Role role, int broadcast_axis) {
    return make_tensor(shape, problem.layout, role, broadcast_axis, problem.placement, canary);
  };
  query = make({B, Hq, T, K}, Role::tokens, 1);
  key = make({B, Hk, T, K}, Role::tokens, 0);
  value = make({B, Hs, T, V}, Role::tokens, 1);
  gate = channels ? make({B, Hs, T, K}, Role::tokens, 2) : make({B, Hs, T}, Role::tokens, 2);
  if (problem.rule == SLUICE_GDN2) {
    erase = make({B, Hs, T, K}, Role::tokens, 2);
    write = make({B, Hs, T, V}, Role::tokens, 1);
  } else {
    beta = make({B, Hs, T}, Role::tokens, 1);
  }
  if (problem.initial_state) initial_state = make({B, Hs, K, V}, Role::state, 1);
  output = make({B, std::max(Hq, Hs), T, V}, Role::output, -1);
  if (problem.final_state) final_state = make({B, Hs, K, V}, Role::output_state, -1);

  Random random(problem.seed);
  const double norm = problem.l2norm ? 3.0 : 1.0;
  fill_rows(query.view, norm, random);
  fill_rows(key.view, norm, random);
  fill(value.view, [&] { return random.normal(); });
  const bool log = problem.gate_kind == SLUICE_GATE_LOG_DECAY;
  fill(gate.view, [&] {
    const double decay = random_decay(problem.gate, random);
    return log ? std::log(decay) : decay;
  });
  fill(beta.view, [&] { return random_beta(problem.beta, random); });
  fill(erase.view, [&] { return random_beta(problem.beta, random); });
  fill(write.view, [&] { return random_beta(problem.beta, random); });
  fill(initial_state.view, [&] { return random.normal(); });
  clear_outputs();
}

void Problem::clear_outputs() {
  output.block.fill(canary);
  final_state.block.fill(canary);
}

sluice_gated_delta_rule_args Problem::args() {
  clear_outputs();
  sluice_gated_delta_rule_args args;
  sluice_gated_delta_rule_args_init(&args);
  args.rule = case_.rule;
  args.gate_kind = case_.gate_kind;
  args.head_map = case_.head_map;
  args.l2norm = case_.l2norm ? 1 : 0;
  args.scale = case_.scale;
  args.query = query.view;
  args.key = key.view;
  args.value = value.view;
  args.gate = gate.view;
  args.beta = beta.view;
  args.erase = erase.view;
  args.write = write.view;
  args.initial_state = initial_state.view;
  args.output = output.view;
  args.final_state = final_state.view;
  return args;
}

sluice_gated_delta_rule_args Problem::in_place_args() {
  sluice_gated_delta_rule_args args = this->args();
  const std::vector<float> state = gather(initial_state.view);
  std::size_t next = 0;
  for_each_element(final_state.view, [&](float &element) { element = state[next++]; });
  args.initial_state = args.final_state;
  return args;
}

bool Problem::padding_untouched() const {
  for (const Tensor *tensor : {&output, &final_state}) {
    std::vector<bool> inside(tensor->block.size(), false);
    for_each_element(tensor->view,
                     [&](float &element) { inside[static_cast<std::size_t>(&element - tensor->block.data())] = true; });
    for (std::size_t i = 0; i < inside.size(); ++i) {
      if (!inside[i] && std::memcmp(tensor->block.data() + i, &canary, sizeof canary) != 0) return false;
    }
  }
  return true;
}

std::vector<Tensor *> Problem::inputs() { return {&query, &key, &value, &gate, &beta, &erase, &write, &initial_state}; }

sluice_gated_delta_rule_args tokens(sluice_gated_delta_rule_args args, std::int64_t begin, std::int64_t count) {
  for (sluice_tensor *view :
       {&args.query, &args.key, &args.value, &args.gate, &args.beta, &args.erase, &args.write, &args.output}) {
    if (view->data == nullptr) continue;
    view->data = static_cast<float *>(view->data) + begin * view->stride[2];
    view->shape[2] = count;
  }
  return args;
}

std::vector<float> gather(const sluice_tensor &view) {
  std::vector<float> elements;
  for_each_element(view, [&](const float &element) { elements.push_back(element); });
  return elements;
}

float &at(const sluice_tensor &view, std::int64_t b, std::int64_t h, std::int64_t t, std::int64_t c) {
  std::int64_t offset = b * view.stride[0] + h * view.stride[1] + t * view.stride[2];
  if (view.rank == 4) offset += c * view.stride[3];
  return static_cast<float *>(view.data)[offset];
}

}  // namespace sluice::test
