#include "tests/block.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <utility>

namespace sluice::test {

Block::Block(std::size_t floats, Placement placement) : size_(floats) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t lead = placement == Placement::offset ? sizeof(float) : 0;
  const std::size_t bytes = floats * sizeof(float);
  const std::size_t usable = std::max<std::size_t>(1, (lead + bytes + page - 1) / page) * page;
  page_bytes_ = usable + 2 * page;
  void *const pages = mmap(nullptr, page_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  pages_ = static_cast<std::byte *>(pages);
  if (mprotect(pages_, page, PROT_NONE) != 0 || mprotect(pages_ + page + usable, page, PROT_NONE) != 0) {
    munmap(pages_, page_bytes_);
    throw std::bad_alloc();
  }
  std::byte *const first = placement == Placement::end ? pages_ + page + usable - bytes : pages_ + page + lead;
  data_ = reinterpret_cast<float *>(first);
}

Block::~Block() {
  if (pages_ != nullptr) munmap(pages_, page_bytes_);
}

Block::Block(Block &&other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      pages_(std::exchange(other.pages_, nullptr)),
      page_bytes_(std::exchange(other.page_bytes_, 0)) {}

Block &Block::operator=(Block &&other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(pages_, other.pages_);
  std::swap(page_bytes_, other.page_bytes_);
  return *this;
}

void Block::fill(float value) { std::fill(data_, data_ + size_, value); }

void Block::make_read_only() {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  if (mprotect(pages_ + page, page_bytes_ - 2 * page, PROT_READ) != 0) throw std::bad_alloc();
}

}  // namespace sluice::test
