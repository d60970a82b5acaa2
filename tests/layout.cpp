#include "tests/layout.h"

#include <algorithm>
#include <numeric>

namespace sluice::test {
namespace {

// The axes of the logical shape, outermost in memory first.
std::vector<int> memory_order(std::size_t rank, Layout layout) {
  std::vector<int> order(rank);
  std::iota(order.begin(), order.end(), 0);
  if (layout == Layout::bthd || layout == Layout::packed) std::swap(order[1], order[2]);
  return order;
}

// Layouts that only inputs may have give their outputs in the plain one.
Layout layout_of(Layout layout, Role role) {
  const bool plain = role == Role::output || role == Role::output_state;
  if (plain && (layout == Layout::broadcast || layout == Layout::reversed)) return Layout::bhtd;
  if (role == Role::state && layout == Layout::reversed) return Layout::bhtd;
  return layout;
}

}  // namespace

Tensor make_tensor(const std::vector<std::int64_t> &shape, Layout layout, Role role, int broadcast_axis,
                   Placement placement, float padding) {
  const std::size_t rank = shape.size();
  const Layout real = layout_of(layout, role);
  const bool packed = real == Layout::packed;
  Tensor tensor;
  sluice_tensor &view = tensor.view;
  view.dtype = SLUICE_F32;
  view.rank = static_cast<std::int32_t>(rank);

  // In a packed row other tensors lie before, between and behind: 5 floats before, 3 behind; rank 3 interleaves.
  constexpr std::int64_t before = 5, behind = 3;
  std::int64_t step = packed && rank == 3 ? 2 : 1;
  const std::vector<int> order = memory_order(rank, real);
  for (std::size_t i = rank; i-- > 0;) {
    const auto axis = static_cast<std::size_t>(order[i]);
    view.shape[axis] = shape[axis];
    view.stride[axis] = step;
    step *= std::max<std::int64_t>(shape[axis], 1);
    if (packed && i == 2) step += before + behind;
  }
  if (real == Layout::broadcast && broadcast_axis >= 0) view.stride[broadcast_axis] = 0;

  tensor.block = Block(static_cast<std::size_t>(step + (packed ? before : 0)), placement);
  tensor.block.fill(padding);
  float *data = tensor.block.data() + (packed ? before : 0);
  if (real == Layout::reversed) {
    for (const std::size_t axis : {std::size_t{1}, std::size_t{2}}) {
      data += view.stride[axis] * std::max<std::int64_t>(shape[axis] - 1, 0);
      view.stride[axis] = -view.stride[axis];
    }
  }
  view.data = data;
  return tensor;
}

}  // namespace sluice::test
