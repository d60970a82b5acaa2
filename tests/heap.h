// The process's heap, watched: this binary's malloc and its kin count calls and can be told to fail.
#pragma once

#include <cstdint>

namespace sluice::test {

// False where a sanitizer has its own malloc: nothing is counted then.
bool heap_is_watched();

// Allocations on all threads since the process began.
std::int64_t heap_allocations();

// The n-th allocation from now (0 = the next) made by this thread returns NULL; a negative n: none does.
void fail_heap_allocation(std::int64_t n);

}  // namespace sluice::test
