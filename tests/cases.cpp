#include "tests/cases.h"

#include <ostream>
#include <set>

#include "tests/run.h"

namespace sluice::test {
namespace {

// A case per rule and head dim; `any` rows get a size that fills no vector.
template <typename Visit>
void for_each_rule_and_size(Visit visit) {
  for (const sluice_rule rule : all_rules) {
    for (const int head_dim : head_dims()) {
      RowCase row_case;
      row_case.head_dim = head_dim;
      row_case.problem.rule = rule;
      row_case.problem.shape = {1, 35, 1, 1, 2, head_dim, head_dim};
      if (head_dim == 0) {
        row_case.problem.shape.K = 20;
        row_case.problem.shape.V = 36;
      }
      if (!rows_of(rule, head_dim).empty()) visit(row_case);
    }
  }
}

}  // namespace

std::ostream &operator<<(std::ostream &stream, const RowCase &row_case) { return stream << row_case.problem; }

std::vector<RowCase> length_cases() {
  std::vector<RowCase> cases;
  for_each_rule_and_size([&](RowCase row_case) {
    std::set<std::int64_t> lengths;
    for (const sluice_kernel_info &row : rows_of(row_case.problem.rule, row_case.head_dim)) {
      for (const std::int64_t T : sequence_lengths(row.chunk_length)) lengths.insert(T);
    }
    for (const std::int64_t T : lengths) {
      row_case.problem.shape.T = T;
      row_case.problem.gate_kind = T % 2 == 0 ? SLUICE_GATE_DECAY : SLUICE_GATE_LOG_DECAY;
      cases.push_back(row_case);
    }
  });
  return cases;
}

std::vector<RowCase> head_size_cases() {
  std::vector<RowCase> cases;
  for (const sluice_rule rule : all_rules) {
    for (const HeadSize size : odd_head_sizes) {
      for (const Placement placement : {Placement::start, Placement::end}) {
        RowCase row_case;
        row_case.problem.rule = rule;
        row_case.problem.shape = {1, 35, 2, 1, 2, size.K, size.V};
        row_case.problem.placement = placement;
        cases.push_back(row_case);
      }
    }
  }
  return cases;
}

std::vector<RowCase> grouping_cases() {
  std::vector<RowCase> cases;
  for_each_rule_and_size([&](RowCase row_case) {
    for (const HeadCounts heads : head_groupings) {
      for (const sluice_head_map head_map : {SLUICE_HEAD_MAP_DIVIDE, SLUICE_HEAD_MAP_MODULO}) {
        row_case.problem.shape.B = 2;
        row_case.problem.shape.T = 18;
        row_case.problem.shape.Hq = heads.Hq;
        row_case.problem.shape.Hk = heads.Hk;
        row_case.problem.shape.Hs = heads.Hs;
        row_case.problem.head_map = head_map;
        cases.push_back(row_case);
      }
    }
  });
  return cases;
}

std::vector<RowCase> gate_cases() {
  std::vector<RowCase> cases;
  for_each_rule_and_size([&](const RowCase &plain) {
    for (const sluice_gate_kind kind : {SLUICE_GATE_DECAY, SLUICE_GATE_LOG_DECAY}) {
      for (const Gate gate :
           {Gate::ordinary, Gate::one, Gate::zero, Gate::tiny, Gate::small, Gate::wide, Gate::zero_or_one}) {
        RowCase row_case = plain;
        row_case.problem.gate = gate;
        row_case.problem.gate_kind = kind;
        cases.push_back(row_case);
      }
    }
    for (const Beta beta : {Beta::zero, Beta::one, Beta::up_to_two}) {
      RowCase row_case = plain;
      row_case.problem.beta = beta;
      cases.push_back(row_case);
      row_case.problem.gate = Gate::one;
      cases.push_back(row_case);
    }
  });
  return cases;
}

std::vector<RowCase> option_cases() {
  std::vector<RowCase> cases;
  for_each_rule_and_size([&](const RowCase &plain) {
    for (const std::int64_t T : {1, 35}) {
      const auto add = [&](auto change) {
        RowCase row_case = plain;
        row_case.problem.shape.T = T;
        change(row_case.problem);
        cases.push_back(row_case);
      };
      add([](Case &c) { c.initial_state = false; });
      add([](Case &c) { c.final_state = false; });
      add([](Case &c) { c.initial_state = c.final_state = false; });
      add([](Case &c) { c.scale = 0; });
      add([](Case &c) { c.l2norm = true; });
    }
  });
  return cases;
}

std::vector<RowCase> layout_cases() {
  std::vector<RowCase> cases;
  for_each_rule_and_size([&](RowCase row_case) {
    for (const Layout layout : {Layout::bhtd, Layout::bthd, Layout::packed, Layout::broadcast, Layout::reversed}) {
      for (const Placement placement : {Placement::start, Placement::offset, Placement::end}) {
        row_case.problem.shape.B = 2;
        row_case.problem.shape.T = 18;
        row_case.problem.shape.Hq = 2;
        row_case.problem.layout = layout;
        row_case.problem.placement = placement;
        cases.push_back(row_case);
      }
    }
  });
  return cases;
}

}  // namespace sluice::test
