// Vectors that start at a cache line, as kernels like their data.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace sluice {

/// Allocates at multiples of 64 bytes: one cache line, one AVX-512 vector.
template <typename T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};

  AlignedAllocator() = default;
  template <typename U>
  AlignedAllocator(const AlignedAllocator<U> &) noexcept {}

  T *allocate(std::size_t count) { return static_cast<T *>(::operator new(count * sizeof(T), alignment)); }
  void deallocate(T *memory, std::size_t) noexcept { ::operator delete(memory, alignment); }

  template <typename U>
  bool operator==(const AlignedAllocator<U> &) const noexcept {
    return true;
  }
  template <typename U>
  bool operator!=(const AlignedAllocator<U> &) const noexcept {
    return false;
  }
};

template <typename T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace sluice
