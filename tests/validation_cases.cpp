#include "tests/validation_cases.h"

#include <cmath>
#include <limits>

namespace sluice::test {
namespace {

using Args = sluice_gated_delta_rule_args;
using View = sluice_tensor Args::*;

struct Named {
  const char *name;
  View view;
};

constexpr Named rank4[] = {{"query", &Args::query},   {"key", &Args::key},
                           {"value", &Args::value},   {"initial_state", &Args::initial_state},
                           {"output", &Args::output}, {"final_state", &Args::final_state}};
constexpr Named outputs[] = {{"output", &Args::output}, {"final_state", &Args::final_state}};

class Table {
 public:
  template <typename Change>
  void add(const std::string &name, const std::string &argument, std::vector<const char *> words, Change change,
           sluice_rule rule = SLUICE_KDA, sluice_status status = SLUICE_INVALID_ARGUMENT) {
    rows.push_back({name, rule, change, argument, std::move(words), status});
  }
  std::vector<Refusal> rows;
};

void add_numbers(Table &table) {
  table.add("old_struct", "args.struct_size", {"8"}, [](Args &a, Problem &) { a.struct_size = 8; });
  table.add("newer_struct", "args.struct_size", {"newer"}, [](Args &a, Problem &) { a.struct_size += 64; });
  table.add("reserved0", "args.reserved0", {"3", "expected 0"}, [](Args &a, Problem &) { a.reserved0 = 3; });
  table.add("reserved", "args.reserved[7]", {"5", "expected 0"}, [](Args &a, Problem &) { a.reserved[7] = 5; });
  table.add("rule", "rule", {"3", "SLUICE_GDN2"}, [](Args &a, Problem &) { a.rule = 3; });
  table.add("negative_rule", "rule", {"-1", "SLUICE_GDN"}, [](Args &a, Problem &) { a.rule = -1; });
  table.add("gate_kind", "gate_kind", {"2", "SLUICE_GATE_DECAY"}, [](Args &a, Problem &) { a.gate_kind = 2; });
  table.add("head_map", "head_map", {"9", "SLUICE_HEAD_MAP_DIVIDE"}, [](Args &a, Problem &) { a.head_map = 9; });
  table.add("state_layout", "state_layout", {"2", "SLUICE_STATE_KV"}, [](Args &a, Problem &) { a.state_layout = 2; });
  table.add(
      "transposed_state", "state_layout", {"SLUICE_STATE_VK", "not supported"},
      [](Args &a, Problem &) { a.state_layout = SLUICE_STATE_VK; }, SLUICE_KDA, SLUICE_UNSUPPORTED);
  table.add("l2norm", "l2norm", {"2", "0 or 1"}, [](Args &a, Problem &) { a.l2norm = 2; });
  table.add("negative_eps", "l2norm_eps", {"-1", ">= 0"}, [](Args &a, Problem &) { a.l2norm_eps = -1; });
  table.add("nan_eps", "l2norm_eps", {"nan", "finite"}, [](Args &a, Problem &) { a.l2norm_eps = std::nanf(""); });
  table.add("infinite_scale", "scale", {"inf", "finite"},
            [](Args &a, Problem &) { a.scale = std::numeric_limits<float>::infinity(); });
  table.add("nan_scale", "scale", {"nan", "finite"}, [](Args &a, Problem &) { a.scale = std::nanf(""); });
}

void add_presence(Table &table) {
  for (const Named &named : {Named{"query", &Args::query}, Named{"key", &Args::key}, Named{"value", &Args::value},
                             Named{"gate", &Args::gate}, Named{"beta", &Args::beta}, Named{"output", &Args::output}}) {
    table.add(std::string("no_") + named.name, named.name, {"NULL", "[B, H"},
              [=](Args &a, Problem &) { (a.*named.view).data = nullptr; });
  }
  for (const Named &named : {Named{"erase", &Args::erase}, Named{"write", &Args::write}}) {
    table.add(
        std::string("no_") + named.name, named.name, {"NULL", "[B, H"},
        [=](Args &a, Problem &) { (a.*named.view).data = nullptr; }, SLUICE_GDN2);
    table.add(std::string(named.name) + "_without_gdn2", named.name, {"given", "gdn2"},
              [=](Args &a, Problem &) { a.*named.view = a.value; });
  }
  table.add(
      "beta_with_gdn2", "beta", {"given", "erase and write"}, [](Args &a, Problem &) { a.beta = a.gate; }, SLUICE_GDN2);
}

void add_forms(Table &table) {
  for (const Named &named : rank4) {
    const std::string name = named.name;
    table.add(name + "_dtype", name, {"7", "SLUICE_F32"}, [=](Args &a, Problem &) { (a.*named.view).dtype = 7; });
    table.add(name + "_rank3", name, {"rank 3", "expected 4"}, [=](Args &a, Problem &) { (a.*named.view).rank = 3; });
    table.add(name + "_rank5", name, {"rank 5", "expected 4"}, [=](Args &a, Problem &) { (a.*named.view).rank = 5; });
    table.add(name + "_rank_negative", name, {"rank -1", "expected 4"},
              [=](Args &a, Problem &) { (a.*named.view).rank = -1; });
    table.add(name + "_negative_extent", name, {"-2"}, [=](Args &a, Problem &) { (a.*named.view).shape[0] = -2; });
    table.add(name + "_inner_stride", name, {"stride", "2", "expected 1"},
              [=](Args &a, Problem &) { (a.*named.view).stride[3] = 2; });
    table.add(name + "_misaligned", name, {"multiple of 4"},
              [=](Args &a, Problem &) { (a.*named.view).data = static_cast<char *>((a.*named.view).data) + 2; });
  }
  table.add(
      "gdn_channel_gate", "gate", {"rank 4", "expected 3"}, [](Args &a, Problem &) { a.gate.rank = 4; }, SLUICE_GDN);
  table.add("kda_scalar_gate", "gate", {"rank 3", "expected 4"}, [](Args &a, Problem &) { a.gate.rank = 3; });
  table.add("beta_rank4", "beta", {"rank 4", "expected 3"}, [](Args &a, Problem &) { a.beta.rank = 4; });
}

void add_shapes(Table &table) {
  const auto extent = [&](const std::string &name, View view, int axis, std::int64_t given, const char *expected,
                          const char *word, sluice_rule rule = SLUICE_KDA) {
    table.add(
        name + "_axis" + std::to_string(axis) + "_is_" + std::to_string(given), name, {expected, word},
        [=](Args &a, Problem &) { (a.*view).shape[axis] = given; }, rule);
  };
  extent("key", &Args::key, 0, 1, "expected 2", "[1,2,5,8]");
  extent("key", &Args::key, 1, 3, "divisor of value's 4 heads", "3 heads");
  extent("key", &Args::key, 1, 0, "divisor of value's 4 heads", "0 heads");
  extent("key", &Args::key, 2, 4, "expected 5", "[2,2,4,8]");
  extent("key", &Args::key, 3, 7, "expected 8", "[2,2,5,7]");
  extent("query", &Args::query, 1, 3, "4 heads", "3 heads");
  extent("query", &Args::query, 3, 0, "at least 1", "K = 0");
  extent("value", &Args::value, 0, 3, "expected 2", "[3,4,5,12]");
  extent("value", &Args::value, 2, 6, "expected 5", "[2,4,6,12]");
  extent("value", &Args::value, 3, 0, "at least 1", "V = 0");
  extent("gate", &Args::gate, 0, 1, "expected 2", "[1,4,5,8]");
  extent("gate", &Args::gate, 1, 2, "expected 4", "[2,2,5,8]");
  extent("gate", &Args::gate, 2, 1, "expected 5", "[2,4,1,8]");
  extent("gate", &Args::gate, 3, 1, "expected 8", "[2,4,5,1]");
  extent("gate", &Args::gate, 1, 2, "expected 4", "[2,2,5]", SLUICE_GDN);
  extent("beta", &Args::beta, 1, 2, "expected 4", "[2,2,5]");
  extent("beta", &Args::beta, 2, 4, "expected 5", "[2,4,4]");
  extent("erase", &Args::erase, 3, 12, "expected 8", "[2,4,5,12]", SLUICE_GDN2);
  extent("write", &Args::write, 3, 8, "expected 12", "[2,4,5,8]", SLUICE_GDN2);
  for (const Named &state : {Named{"initial_state", &Args::initial_state}, Named{"final_state", &Args::final_state}}) {
    extent(state.name, state.view, 0, 1, "expected 2", "[1,4,8,12]");
    extent(state.name, state.view, 1, 2, "expected 4", "[2,2,8,12]");
    extent(state.name, state.view, 2, 12, "expected 8", "[2,4,12,12]");
    extent(state.name, state.view, 3, 8, "expected 12", "[2,4,8,8]");
  }
  extent("output", &Args::output, 0, 1, "expected 2", "[1,4,5,12]");
  extent("output", &Args::output, 1, 2, "expected 4", "[2,2,5,12]");
  extent("output", &Args::output, 2, 4, "expected 5", "[2,4,4,12]");
  extent("output", &Args::output, 3, 11, "expected 12", "[2,4,5,11]");
}

void add_sizes(Table &table) {
  table.add("too_many_elements", "query", {"overflows", "4611686018427387904"}, [](Args &a, Problem &) {
    for (sluice_tensor *view :
         {&a.query, &a.key, &a.value, &a.gate, &a.beta, &a.initial_state, &a.output, &a.final_state}) {
      view->shape[0] = std::int64_t{1} << 62;
    }
  });
  for (const Named &named : rank4) {
    table.add(std::string(named.name) + "_stride_overflows", named.name, {"overflow", "6917529027641081856"},
              [=](Args &a, Problem &) { (a.*named.view).stride[0] = std::int64_t{3} << 61; });
  }
  table.add("token_stride_too_far", "value", {"token stride", "536870912", "2147483648"},
            [](Args &a, Problem &) { a.value.stride[2] = std::int64_t{1} << 29; });
  table.add("state_row_stride_too_far", "initial_state", {"row stride", "268435456", "2147483648"},
            [](Args &a, Problem &) { a.initial_state.stride[2] = std::int64_t{1} << 28; });
}

void add_output_strides(Table &table) {
  for (const Named &named : outputs) {
    const std::string name = named.name;
    for (int axis = 0; axis < 3; ++axis) {
      const std::string suffix = "_axis" + std::to_string(axis);
      table.add(name + "_stride_0" + suffix, name, {"expected positive", "strides"},
                [=](Args &a, Problem &) { (a.*named.view).stride[axis] = 0; });
      table.add(name + "_stride_negative" + suffix, name, {"expected positive", "strides", "-"},
                [=](Args &a, Problem &) { (a.*named.view).stride[axis] *= -1; });
    }
    table.add(name + "_rows_overlap", name, {"overlaps itself", "once"},
              [=](Args &a, Problem &) { (a.*named.view).stride[2] = 11; });
    table.add(name + "_heads_overlap", name, {"overlaps itself", "once"},
              [=](Args &a, Problem &) { (a.*named.view).stride[1] -= 1; });
  }
}

void add_aliasing(Table &table) {
  for (const Named &input :
       {Named{"query", &Args::query}, Named{"key", &Args::key}, Named{"value", &Args::value},
        Named{"gate", &Args::gate}, Named{"beta", &Args::beta}, Named{"initial_state", &Args::initial_state}}) {
    table.add(std::string("output_is_") + input.name, "output", {"overlaps", input.name},
              [=](Args &a, Problem &) { a.output.data = (a.*input.view).data; });
  }
  table.add("output_is_value_shifted", "output", {"overlaps", "value"},
            [](Args &a, Problem &) { a.value.data = static_cast<float *>(a.output.data) + 100; });
  table.add("final_state_is_query", "final_state", {"overlaps", "query"},
            [](Args &a, Problem &) { a.query.data = a.final_state.data; });
  table.add("output_is_final_state", "output", {"overlaps", "final_state"},
            [](Args &a, Problem &) { a.output.data = a.final_state.data; });
  table.add("states_shifted", "final_state", {"overlaps", "initial_state", "in place"},
            [](Args &a, Problem &) { a.initial_state.data = static_cast<float *>(a.final_state.data) + 4; });
  table.add("states_of_other_strides", "final_state", {"overlaps", "initial_state", "in place"},
            [](Args &a, Problem &) {
              a.initial_state.data = a.final_state.data;
              a.initial_state.stride[1] = 0;
            });
}

}  // namespace

Case valid_case(sluice_rule rule) {
  Case c;
  c.rule = rule;
  c.shape = {2, 5, 2, 2, 4, 8, 12};
  return c;
}

std::vector<Refusal> refusals() {
  Table table;
  add_numbers(table);
  add_presence(table);
  add_forms(table);
  add_shapes(table);
  add_sizes(table);
  add_output_strides(table);
  add_aliasing(table);
  // gdn's and kda's gates are both called gate
  for (Refusal &row : table.rows) {
    if (row.rule != SLUICE_KDA) row.name += row.rule == SLUICE_GDN ? "_gdn" : "_gdn2";
  }
  return table.rows;
}

}  // namespace sluice::test
