// Random problems for the operator: a Case says what, a Problem owns the memory and the views.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "sluice/sluice.h"
#include "tests/block.h"
#include "tests/shapes.h"

namespace sluice::test {

enum class Gate {
  ordinary,     // decay exp(-0.2 U): a trained layer's
  one,          // nothing is forgotten
  zero,         // everything is
  tiny,         // 1e-12
  small,        // 0.003: products run through the denormals
  wide,         // exp(-20 U)
  zero_or_one,  // at random per element
};

enum class Beta { ordinary /* U */, zero, one, up_to_two /* 2 U */ };

enum class Layout {
  bhtd,       // [B, H, T, D], contiguous
  bthd,       // [B, T, H, D], contiguous; states [B, K, H, V]
  packed,     // [B, T, H, D] as a slice of wider rows; what lies between is NaN
  broadcast,  // inputs with stride 0 along one axis each
  reversed,   // inputs with negative strides along T and H
};

// Everything that makes a problem; two equal Cases give the same numbers.
struct Case {
  sluice_rule rule = SLUICE_KDA;
  Shape shape;
  sluice_head_map head_map = SLUICE_HEAD_MAP_DIVIDE;
  Gate gate = Gate::ordinary;
  sluice_gate_kind gate_kind = SLUICE_GATE_DECAY;
  Beta beta = Beta::ordinary;  // gdn2: of the erase and write gates
  bool l2norm = false;
  float scale = 0.25F;
  bool initial_state = true;
  bool final_state = true;
  Layout layout = Layout::bhtd;
  Placement placement = Placement::start;
  std::uint64_t seed = 1;
};

// One word of letters, digits and underscores that names all that is not default; fits a test name.
std::string describe(const Case &problem);
std::ostream &operator<<(std::ostream &stream, const Case &problem);

inline constexpr sluice_rule all_rules[] = {SLUICE_GDN, SLUICE_KDA, SLUICE_GDN2};

struct Tensor {
  Block block;
  sluice_tensor view{};
};

class Problem {
 public:
  explicit Problem(const Case &problem);

  // initial_state and final_state apart. Outputs hold NaN until something writes them.
  sluice_gated_delta_rule_args args();
  // initial_state's values are copied into final_state's memory, which serves as both. Needs both states.
  sluice_gated_delta_rule_args in_place_args();
  // False if something was written into memory that belongs to an output's block but not to its view.
  bool padding_untouched() const;

  // For tests that change a value or a place.
  Tensor query, key, value, gate, beta, erase, write, initial_state, output, final_state;
  // The eight that are read, those that are absent included.
  std::vector<Tensor *> inputs();

 private:
  void clear_outputs();
  Case case_;
};

// The same problem cut to tokens [begin, begin + count).
sluice_gated_delta_rule_args tokens(sluice_gated_delta_rule_args args, std::int64_t begin, std::int64_t count);

// The elements of a view in logical order.
std::vector<float> gather(const sluice_tensor &view);
// The element of a rank-3 or rank-4 view.
float &at(const sluice_tensor &view, std::int64_t b, std::int64_t h, std::int64_t t, std::int64_t c = 0);

}  // namespace sluice::test
