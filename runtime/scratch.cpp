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
  const Size probes(2 + problem.query_group);  // erase key, key, queries
  const Size k(round_up_64(problem.key_dim)), v(round_up_64(problem.value_dim));
  const Size chunk(row.chunk_length);
  const Size state = 2 * k * v;
  const Size fixed(4096);  // padding of each allocation and small tables
  Size floats = fixed + state;
  if (row.op == Op::step) {
    floats = floats + k * (8 + 4 * probes) + v * (8 + 4 * probes);
  } else {
    floats = floats + chunk * k * (12 + 3 * probes) + chunk * chunk * (16 + 8 * probes) + chunk * v * (6 + 2 * probes);
    // Study schedules may keep pair decays per channel.
    if (row.set == KernelSet::study) floats = floats + 2 * chunk * chunk * k;
  }
  return (floats * Size(sizeof(float))).value();
}

}  // namespace sluice
