// Memory for one tensor between two unreadable pages: a kernel that reads or writes past an end faults.
#pragma once

#include <cstddef>

namespace sluice::test {

enum class Placement {
  start,   // begins right behind an unreadable page: 64-byte aligned
  offset,  // one float further: aligned to 4 bytes only
  end,     // its last float lies right before an unreadable page
};

class Block {
 public:
  Block() = default;
  Block(std::size_t floats, Placement placement);
  ~Block();
  Block(Block &&other) noexcept;
  Block &operator=(Block &&other) noexcept;

  float *data() const { return data_; }
  std::size_t size() const { return size_; }
  void fill(float value);
  void make_read_only();

 private:
  float *data_ = nullptr;
  std::size_t size_ = 0;
  std::byte *pages_ = nullptr;
  std::size_t page_bytes_ = 0;
};

}  // namespace sluice::test
