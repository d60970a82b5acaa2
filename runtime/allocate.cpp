#include "runtime/allocate.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>

namespace sluice {

namespace {

constexpr std::size_t kAlignment = 64;
std::atomic<AllocationFilter> allocation_filter{nullptr};

}  // namespace

void *allocate(std::size_t bytes) noexcept {
  const AllocationFilter filter = allocation_filter.load(std::memory_order_acquire);
  if (filter != nullptr && !filter(bytes)) return nullptr;
  if (bytes > SIZE_MAX - kAlignment) return nullptr;
  return std::aligned_alloc(kAlignment, (bytes + kAlignment) / kAlignment * kAlignment);
}

void deallocate(void *memory) noexcept { std::free(memory); }

void set_allocation_filter(AllocationFilter filter) noexcept {
  allocation_filter.store(filter, std::memory_order_release);
}

}  // namespace sluice
