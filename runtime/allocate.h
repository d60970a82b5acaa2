// The only door to the heap for contexts and scratch, so that tests can make any allocation fail.
#pragma once

#include <cstddef>

namespace sluice {

// 64-byte aligned memory, or nullptr.
void *allocate(std::size_t bytes) noexcept;
void deallocate(void *memory) noexcept;

// For tests: asked before every allocation; false makes it fail. nullptr: none. Must be callable from any thread.
using AllocationFilter = bool (*)(std::size_t bytes);
void set_allocation_filter(AllocationFilter filter) noexcept;

}  // namespace sluice
