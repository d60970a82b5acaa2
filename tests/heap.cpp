#include "tests/heap.h"

#include <atomic>
#include <cerrno>
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLUICE_HEAP_WATCHED 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SLUICE_HEAP_WATCHED 0
#endif
#endif
#ifndef SLUICE_HEAP_WATCHED
#ifdef __GLIBC__
#define SLUICE_HEAP_WATCHED 1
#else
#define SLUICE_HEAP_WATCHED 0
#endif
#endif

namespace sluice::test {
namespace {

std::atomic<std::int64_t> allocations{0};
thread_local std::int64_t until_failure = -1;

[[maybe_unused]] bool allocation_may_succeed() {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return until_failure < 0 || until_failure-- != 0;
}

}  // namespace

bool heap_is_watched() { return SLUICE_HEAP_WATCHED != 0; }
std::int64_t heap_allocations() { return allocations.load(); }
void fail_heap_allocation(std::int64_t n) { until_failure = n; }

}  // namespace sluice::test

#if SLUICE_HEAP_WATCHED
// glibc's own entry points, which stay reachable under these names when a program defines malloc.
extern "C" {
void *__libc_malloc(std::size_t size);
void *__libc_calloc(std::size_t count, std::size_t size);
void *__libc_realloc(void *memory, std::size_t size);
void *__libc_memalign(std::size_t alignment, std::size_t size);

void *malloc(std::size_t size) { return sluice::test::allocation_may_succeed() ? __libc_malloc(size) : nullptr; }
void *calloc(std::size_t count, std::size_t size) {
  return sluice::test::allocation_may_succeed() ? __libc_calloc(count, size) : nullptr;
}
void *realloc(void *memory, std::size_t size) {
  return sluice::test::allocation_may_succeed() ? __libc_realloc(memory, size) : nullptr;
}
void *memalign(std::size_t alignment, std::size_t size) {
  return sluice::test::allocation_may_succeed() ? __libc_memalign(alignment, size) : nullptr;
}
void *aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
int posix_memalign(void **memory, std::size_t alignment, std::size_t size) {
  *memory = memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
}
#endif
