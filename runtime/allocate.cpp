#include "runtime/allocate.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>

#if defined(_WIN32)
#include <malloc.h>
#endif

namespace sluice {

namespace {

constexpr std::size_t kAlignment = 64;
std::atomic<AllocationFilter> allocation_filter{nullptr};

// Not std::aligned_alloc: Windows does not have it, nor do older Android and macOS.
#if defined(_WIN32)
void *aligned(std::size_t bytes) { return _aligned_malloc(bytes, kAlignment); }
void release(void *memory) { _aligned_free(memory); }
#else
void *aligned(std::size_t bytes) {
  void *memory = nullptr;
  return posix_memalign(&memory, kAlignment, bytes) == 0 ? memory : nullptr;
}
void release(void *memory) { std::free(memory); }
#endif

}  // namespace

void *allocate(std::size_t bytes) noexcept {
  const AllocationFilter filter = allocation_filter.load(std::memory_order_acquire);
  if (filter != nullptr && !filter(bytes)) return nullptr;
  if (bytes > SIZE_MAX - kAlignment) return nullptr;
  return aligned((bytes + kAlignment) / kAlignment * kAlignment);
}

void deallocate(void *memory) noexcept { release(memory); }

void set_allocation_filter(AllocationFilter filter) noexcept {
  allocation_filter.store(filter, std::memory_order_release);
}

}  // namespace sluice
