// The strictly or weakly lower triangle of an n x n matrix, counted row by row: (1,0) (2,0) (2,1) (3,0) ...
#pragma once

#include "Halide.h"

namespace sluice::generators {

struct Triangle {
  int size;       // n
  bool diagonal;  // whether (i, i) belongs to it

  int first_row() const { return diagonal ? 0 : 1; }
  // Entries before row i.
  int before(int i) const { return diagonal ? i * (i + 1) / 2 : i * (i - 1) / 2; }
  int count() const { return before(size); }

  Halide::Expr row(const Halide::Expr &entry) const {
    Halide::Expr i = first_row();
    for (int next = first_row() + 1; next < size; next++) i = Halide::select(entry >= before(next), next, i);
    return Halide::unsafe_promise_clamped(i, first_row(), size - 1);
  }
  Halide::Expr column(const Halide::Expr &entry) const {
    Halide::Expr j = entry;
    for (int next = first_row() + 1; next < size; next++)
      j = Halide::select(entry >= before(next), entry - before(next), j);
    return Halide::unsafe_promise_clamped(j, 0, size - 1);
  }
  // The entry above (i, j): (i - 1, j). Meaningful where that lies in the triangle; always in range.
  Halide::Expr above(const Halide::Expr &entry) const {
    const Halide::Expr i = row(entry);
    return Halide::max(entry - (diagonal ? i : i - 1), 0);
  }
};

}  // namespace sluice::generators
