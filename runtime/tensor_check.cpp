#include "runtime/tensor_check.h"

#include <cinttypes>
#include <cstdio>

#include "runtime/overlap.h"

namespace sluice {

namespace {

bool has_zero_extent(const sluice_tensor &tensor, int rank) {
  for (int n = 0; n < rank; n++) {
    if (tensor.shape[n] == 0) return true;
  }
  return false;
}

// Whether the number of elements and every byte address fit.
bool fits_address_space(const sluice_tensor &tensor) {
  std::int64_t elements = 1, bytes = 0, below = 0, above = 1;
  for (int n = 0; n < tensor.rank; n++) {
    std::int64_t reach = 0;
    if (__builtin_mul_overflow(elements, tensor.shape[n], &elements)) return false;
    if (tensor.shape[n] <= 1) continue;
    if (tensor.stride[n] == INT64_MIN) return false;
    if (__builtin_mul_overflow(tensor.shape[n] - 1, tensor.stride[n], &reach)) return false;
    if (reach < 0 ? __builtin_sub_overflow(below, reach, &below) : __builtin_add_overflow(above, reach, &above)) {
      return false;
    }
  }
  constexpr std::int64_t size = sizeof(float);
  std::int64_t span = 0;
  if (__builtin_mul_overflow(elements, size, &bytes) || __builtin_add_overflow(below, above, &span) ||
      __builtin_mul_overflow(span, size, &span)) {
    return false;
  }
  const auto data = reinterpret_cast<std::uintptr_t>(tensor.data);
  std::uintptr_t end = 0;
  return static_cast<std::uintptr_t>(below * size) <= data &&
         !__builtin_add_overflow(data, static_cast<std::uintptr_t>(above * size), &end);
}

}  // namespace

ShapeText::ShapeText(const sluice_tensor &tensor, const std::int64_t *numbers) {
  if (tensor.rank < 0 || tensor.rank > SLUICE_MAX_RANK) {
    std::snprintf(text, sizeof text, "[?]");
    return;
  }
  std::size_t length = 0;
  text[length++] = '[';
  for (int n = 0; n < tensor.rank; n++) {
    length += static_cast<std::size_t>(
        std::snprintf(text + length, sizeof text - length, n == 0 ? "%" PRId64 : ",%" PRId64, numbers[n]));
  }
  text[length++] = ']';
  text[length] = '\0';
}

sluice_status check_form(const Argument &argument, Message &message) {
  const sluice_tensor &tensor = *argument.tensor;
  if (tensor.data == nullptr && (tensor.rank != argument.rank || !has_zero_extent(tensor, argument.rank))) {
    return message.invalid("%s: data is NULL; expected a tensor %s", argument.name, argument.axes);
  }
  if (tensor.dtype != SLUICE_F32) {
    return message.invalid("%s: dtype %d; expected %d (SLUICE_F32)", argument.name, tensor.dtype, SLUICE_F32);
  }
  if (tensor.rank != argument.rank) {
    return message.invalid("%s: rank %d; expected %d, %s", argument.name, tensor.rank, argument.rank, argument.axes);
  }
  for (int n = 0; n < tensor.rank; n++) {
    if (tensor.shape[n] < 0) {
      return message.invalid("%s: shape %s has the extent %" PRId64 "; expected none below 0", argument.name,
                             ShapeText(tensor).text, tensor.shape[n]);
    }
  }
  return SLUICE_OK;
}

sluice_status check_memory(const Argument &argument, Message &message) {
  const sluice_tensor &tensor = *argument.tensor;
  const char *const name = argument.name;
  if (has_zero_extent(tensor, tensor.rank)) return SLUICE_OK;
  if (reinterpret_cast<std::uintptr_t>(tensor.data) % sizeof(float) != 0) {
    return message.invalid("%s: data %p; expected an address that is a multiple of 4", name, tensor.data);
  }
  const int inner = tensor.rank - 1;
  if (tensor.rank == 4 && tensor.shape[inner] > 1 && tensor.stride[inner] != 1) {
    return message.invalid("%s: strides %s; expected 1 along the last axis of %s", name,
                           ShapeText(tensor, tensor.stride).text, argument.axes);
  }
  if (argument.written) {
    for (int n = 0; n < tensor.rank; n++) {
      if (tensor.shape[n] > 1 && tensor.stride[n] <= 0) {
        return message.invalid("%s: strides %s; expected positive strides in a tensor that is written", name,
                               ShapeText(tensor, tensor.stride).text);
      }
    }
  }
  if (!fits_address_space(tensor)) {
    return message.invalid("%s: shape %s with strides %s at %p overflows; expected a size that fits the address space",
                           name, ShapeText(tensor).text, ShapeText(tensor, tensor.stride).text, tensor.data);
  }
  if (argument.written && !reaches_each_element_once(tensor)) {
    return message.invalid("%s: shape %s with strides %s overlaps itself; expected each element to be reached once",
                           name, ShapeText(tensor).text, ShapeText(tensor, tensor.stride).text);
  }
  return SLUICE_OK;
}

View make_view(const sluice_tensor &tensor) {
  View view;
  view.data = static_cast<float *>(tensor.data);
  const bool empty = has_zero_extent(tensor, tensor.rank);
  for (int n = 0; n < tensor.rank; n++) view.stride[n] = tensor.shape[n] > 1 && !empty ? tensor.stride[n] : 0;
  if (tensor.rank == 4) view.stride[3] = 1;
  return view;
}

}  // namespace sluice
