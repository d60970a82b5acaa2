#include "runtime/scratch.h"

namespace sluice {

namespace {

// A size in elements, built from products that saturate.
class Size {
 public:
  explicit Size(std::int64_t value) : value_(value) {}
  std::int64_t value() const { return value_; }
  friend Size operator+(Size a, Size b) { return Size(saturating_add(a.value_, b.value_)); }
  friend Size operator*(Size a, Size b) { return Size(saturating_multiply(a.value_, b.value_)); }

 private:
  std::int64_t value_;
};

Size operator*(std::int64_t a, Size b) { return Size(a) * b; }
Size operator+(std::int64_t a, Size b) { return Size(a) + b; }

std::int64_t round_up_64(std::int64_t x) { return (x + 63) / 64 * 64; }

}  // namespace

std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

std::int64_t saturating_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

std::int64_t kernel_scratch_bytes(const KernelRow &row, const Problem &problem) {
  const Size probes(1 + problem.query_group);  // erase key, queries
  const Size k(round_up_64(problem.key_dim)), v(round_up_64(problem.value_dim));
  const Size chunk(row.chunk_length);
  // What the fast schedules keep of a head: rows, and a tile of at most 64 value columns.
  const Size tile(64);
  Size floats(4096);  // padding of each allocation and small tables
  if (row.op == Op::step) {
    floats = floats + (k + v) * (8 + 4 * probes);
  } else {
    floats = floats + chunk * k * (7 + 3 * probes) + chunk * chunk * (8 + 4 * probes) + k * tile;
    if (row.head_dim == 0) floats = floats + chunk * tile * (4 + 2 * probes);
  }
  if (row.set == KernelSet::study) {
    // Whole states, and for a chunk pair decays per channel and all value columns.
    floats = floats + 2 * k * v;
    if (row.op == Op::chunk) {
      floats = floats + 2 * chunk * chunk * k + chunk * (k + v) * (8 + 4 * probes) + chunk * chunk * (8 + 4 * probes);
    }
  }
  return (floats * Size(sizeof(float))).value();
}

}  // namespace sluice
