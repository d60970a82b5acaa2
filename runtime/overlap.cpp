#include "runtime/overlap.h"

#include <algorithm>
#include <numeric>

namespace sluice {

namespace {

// One unknown x of sum x_i stride_i = target, with 0 <= x <= limit.
struct Term {
  std::int64_t stride, limit;
};

// By stride, smallest first. There are at most eight.
void sort_terms(Term *terms, int count) {
  for (int n = 1; n < count; n++) {
    const Term moved = terms[n];
    int place = n;
    for (; place > 0 && terms[place - 1].stride > moved.stride; place--) terms[place] = terms[place - 1];
    terms[place] = moved;
  }
}

// The equation whose solutions are shared addresses.
class Equation {
 public:
  void add(std::int64_t stride, std::int64_t limit) {
    if (limit == 0 || stride == 0) return;
    Term *const end = terms_ + count_;
    Term *const same = std::find_if(terms_, end, [&](const Term &term) { return term.stride == stride; });
    if (same != end) {
      same->limit += limit;  // x + y with one stride is one unknown
    } else {
      terms_[count_++] = {stride, limit};
    }
  }

  // False only if there is no solution. Strides of real layouts nest, which leaves one or two values to try per term;
  // the budget is for the others.
  bool may_have_solution(std::int64_t target) {
    sort_terms(terms_, count_);
    divisor_[0] = 0, reach_[0] = 0;
    for (int n = 0; n < count_; n++) {
      divisor_[n + 1] = std::gcd(divisor_[n], terms_[n].stride);
      reach_[n + 1] = reach_[n] + terms_[n].stride * terms_[n].limit;
    }
    return search(count_, target);
  }

 private:
  static constexpr int kTerms = 2 * SLUICE_MAX_RANK;
  Term terms_[kTerms];
  std::int64_t divisor_[kTerms + 1], reach_[kTerms + 1];  // of the first n terms
  int count_ = 0;
  int budget_ = 4096;

  // Whether the first n terms, largest stride last, make the target.
  bool search(int n, std::int64_t target) {
    if (target == 0) return true;
    if (target < 0 || target > reach_[n] || target % divisor_[n] != 0) return false;
    const std::int64_t stride = terms_[n - 1].stride, rest = reach_[n - 1];
    const std::int64_t most = std::min(terms_[n - 1].limit, target / stride);
    for (std::int64_t x = target > rest ? (target - rest + stride - 1) / stride : 0; x <= most; x++) {
      if (--budget_ < 0) return true;
      if (search(n - 1, target - x * stride)) return true;
    }
    return false;
  }
};

std::int64_t magnitude(std::int64_t x) { return x < 0 ? -x : x; }

void add_axes(Equation &equation, const sluice_tensor &tensor) {
  for (int n = 0; n < tensor.rank; n++) {
    if (tensor.shape[n] > 1) equation.add(magnitude(tensor.stride[n]), tensor.shape[n] - 1);
  }
}

bool is_empty(const sluice_tensor &tensor) {
  return std::any_of(tensor.shape, tensor.shape + tensor.rank, [](std::int64_t extent) { return extent == 0; });
}

}  // namespace

ByteRange byte_range(const sluice_tensor &tensor) {
  const auto data = reinterpret_cast<std::uintptr_t>(tensor.data);
  if (is_empty(tensor)) return {data, data};
  std::uintptr_t below = 0, above = 0;
  for (int n = 0; n < tensor.rank; n++) {
    if (tensor.shape[n] == 1) continue;
    const std::int64_t reach = (tensor.shape[n] - 1) * tensor.stride[n];
    (reach < 0 ? below : above) += static_cast<std::uintptr_t>(magnitude(reach));
  }
  return {data - below * sizeof(float), data + (above + 1) * sizeof(float)};
}

bool may_overlap(const sluice_tensor &a, const sluice_tensor &b) {
  const ByteRange range_a = byte_range(a), range_b = byte_range(b);
  if (range_a.lowest == range_a.end || range_b.lowest == range_b.end) return false;
  if (range_a.end <= range_b.lowest || range_b.end <= range_a.lowest) return false;
  // lowest_a + sum x s = lowest_b + sum y t  <=>  sum x s + sum (limit - y) t = highest_b - lowest_a
  Equation equation;
  add_axes(equation, a);
  add_axes(equation, b);
  const std::uintptr_t highest_b = range_b.end - sizeof(float);
  return equation.may_have_solution(static_cast<std::int64_t>((highest_b - range_a.lowest) / sizeof(float)));
}

bool reaches_each_element_once(const sluice_tensor &tensor) {
  Term axes[SLUICE_MAX_RANK];
  int count = 0;
  for (int n = 0; n < tensor.rank; n++) {
    if (tensor.shape[n] == 0) return true;
    if (tensor.shape[n] > 1) axes[count++] = {tensor.stride[n], tensor.shape[n] - 1};
  }
  sort_terms(axes, count);
  std::int64_t reach = 0;  // of the axes with smaller strides
  for (int k = 0; k < count; k++) {
    if (axes[k].stride <= reach) {
      // Two tuples whose indices differ by 1 <= d <= limit along k: d stride = sum e_j stride_j, |e_j| <= limit_j.
      // With e_j + limit_j and limit - d as unknowns, all are >= 0.
      Equation equation;
      for (int j = 0; j < k; j++) equation.add(axes[j].stride, 2 * axes[j].limit);
      equation.add(axes[k].stride, axes[k].limit - 1);
      if (equation.may_have_solution(reach + axes[k].limit * axes[k].stride)) return false;
    }
    reach += axes[k].limit * axes[k].stride;
  }
  return true;
}

}  // namespace sluice
