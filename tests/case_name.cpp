#include <ostream>
#include <sstream>

#include "program/capture.h"
#include "tests/problem.h"

namespace sluice::test {
namespace {

const char *gate_name(Gate gate) {
  switch (gate) {
    case Gate::ordinary:
      return "ordinary";
    case Gate::one:
      return "one";
    case Gate::zero:
      return "zero";
    case Gate::tiny:
      return "tiny";
    case Gate::small:
      return "small";
    case Gate::wide:
      return "wide";
    case Gate::zero_or_one:
      return "zero_or_one";
  }
  return "";
}

const char *beta_name(Beta beta) {
  switch (beta) {
    case Beta::ordinary:
      return "ordinary";
    case Beta::zero:
      return "zero";
    case Beta::one:
      return "one";
    case Beta::up_to_two:
      return "up_to_two";
  }
  return "";
}

const char *layout_name(Layout layout) {
  switch (layout) {
    case Layout::bhtd:
      return "bhtd";
    case Layout::bthd:
      return "bthd";
    case Layout::packed:
      return "packed";
    case Layout::broadcast:
      return "broadcast";
    case Layout::reversed:
      return "reversed";
  }
  return "";
}

}  // namespace

std::string describe(const Case &problem) {
  const Case plain;
  const Shape &shape = problem.shape;
  std::ostringstream name;
  name << rule_name(problem.rule) << "_b" << shape.B << "_t" << shape.T << "_q" << shape.Hq << "_k" << shape.Hk << "_s"
       << shape.Hs << "_" << shape.K << "x" << shape.V;
  if (problem.head_map != plain.head_map) name << "_modulo";
  if (problem.gate != plain.gate) name << "_gate_" << gate_name(problem.gate);
  if (problem.gate_kind != plain.gate_kind) name << "_log";
  if (problem.beta != plain.beta) name << "_beta_" << beta_name(problem.beta);
  if (problem.l2norm) name << "_l2norm";
  if (problem.scale == 0) name << "_scale_0";
  if (!problem.initial_state) name << "_from_zero";
  if (!problem.final_state) name << "_state_dropped";
  if (problem.layout != plain.layout) name << "_" << layout_name(problem.layout);
  if (problem.placement == Placement::offset) name << "_offset";
  if (problem.placement == Placement::end) name << "_end";
  if (problem.seed != plain.seed) name << "_seed" << problem.seed;
  return name.str();
}

std::ostream &operator<<(std::ostream &stream, const Case &problem) { return stream << describe(problem); }

}  // namespace sluice::test
