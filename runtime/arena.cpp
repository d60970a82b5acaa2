#include "runtime/arena.h"

#include <algorithm>
#include <new>

#include "runtime/allocate.h"
#include "runtime/scratch.h"

namespace sluice {

namespace {

constexpr std::int64_t kLine = 64;

// Stands before each block.
struct BlockHeader {
  std::byte *previous;  // header of the block before, nullptr if none
  bool released;
};

// Whole cache lines, and one more: vector loads may read past the last element of a block.
std::int64_t padded(std::int64_t bytes) {
  const std::int64_t more = saturating_add(bytes, 2 * kLine - 1);
  return more == INT64_MAX ? more : more / kLine * kLine;
}

ArenaLayout rounded(const ArenaLayout &layout) {
  ArenaLayout room = layout;
  room.shared = padded(layout.shared);
  room.state = layout.state > 0 ? padded(layout.state) : 0;
  room.slice = padded(layout.slice);
  room.first_slice = std::max(padded(layout.first_slice), room.slice);
  return room;
}

}  // namespace

void *Worker::allocate_block(std::size_t bytes) {
  const auto room = static_cast<std::size_t>(end - top);
  const auto header_size = static_cast<std::size_t>(kLine);
  if (bytes > room || room - bytes < 3 * header_size) {
    overflows++;
    return allocate(bytes);
  }
  new (top) BlockHeader{last, false};
  last = top;
  std::byte *const block = top + header_size;
  top = block + padded(static_cast<std::int64_t>(bytes));
  high_water = std::max(high_water, static_cast<std::size_t>(top - begin));
  return block;
}

void Worker::release_block(void *block) {
  auto *const address = static_cast<std::byte *>(block);
  if (address == nullptr) return;
  if (address < begin || address >= end) return deallocate(block);
  reinterpret_cast<BlockHeader *>(address - kLine)->released = true;
  while (last != nullptr && reinterpret_cast<BlockHeader *>(last)->released) {
    top = last;
    last = reinterpret_cast<BlockHeader *>(last)->previous;
  }
}

std::int64_t ArenaLayout::bytes() const {
  const ArenaLayout room = rounded(*this);
  const std::int64_t per_worker = saturating_add(saturating_add(room.slice, room.state), sizeof(Worker));
  return saturating_add(saturating_multiply(per_worker, workers),
                        saturating_add(room.shared, room.first_slice - room.slice));
}

Arena::~Arena() { deallocate(memory_); }

bool Arena::reserve(const ArenaLayout &layout, sluice_context *context) {
  const std::int64_t total = layout.bytes();
  if (total > PTRDIFF_MAX / 2) return false;

  if (static_cast<std::size_t>(total) > capacity_) {
    deallocate(memory_);
    workers_ = nullptr, count_ = 0, capacity_ = 0;
    memory_ = allocate(static_cast<std::size_t>(total));
    if (memory_ == nullptr) return false;
    capacity_ = static_cast<std::size_t>(total);
    statistics_.capacity_bytes = capacity_;
    statistics_.growths++;
  }

  const ArenaLayout room = rounded(layout);
  auto *next = static_cast<std::byte *>(memory_);
  workers_ = reinterpret_cast<Worker *>(next);
  count_ = static_cast<int>(layout.workers);
  next += static_cast<std::size_t>(count_) * sizeof(Worker);
  shared_ = reinterpret_cast<float *>(next);
  next += room.shared;
  for (int n = 0; n < count_; n++) {
    Worker *const worker = new (workers_ + n) Worker;
    worker->context = context;
    worker->state = reinterpret_cast<float *>(next);
    next += room.state;
    worker->begin = worker->top = next;
    next += n == 0 ? room.first_slice : room.slice;
    worker->end = next;
  }
  return true;
}

void Arena::collect() {
  for (int n = 0; n < count_; n++) {
    statistics_.high_water_bytes = std::max(statistics_.high_water_bytes, workers_[n].high_water);
    statistics_.overflows += workers_[n].overflows;
  }
}

}  // namespace sluice
