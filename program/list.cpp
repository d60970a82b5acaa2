#include "program/list.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "program/emulated.h"
#include "program/table.h"
#include "sluice/sluice.h"

namespace sluice {
namespace {

std::vector<sluice_kernel_info> all_kernels() {
  std::vector<sluice_kernel_info> kernels(sluice_kernel_count());
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    kernels[i] = {};
    kernels[i].struct_size = sizeof(sluice_kernel_info);
    sluice_kernel_at(i, &kernels[i]);
  }
  return kernels;
}

void print_json(const std::vector<sluice_kernel_info> &kernels, std::ostream &out) {
  for (const sluice_kernel_info &k : kernels) {
    nlohmann::ordered_json line;
    line["name"] = k.name;
    line["op"] = k.op;
    line["rule"] = k.rule;
    line["dtype"] = k.dtype;
    line["head_dim"] = k.head_dim == 0 ? nlohmann::ordered_json("any") : nlohmann::ordered_json(k.head_dim);
    line["schedule"] = k.schedule;
    line["isa"] = k.isa;
    line["set"] = k.set;
    line["parallel"] = k.parallel;
    line["chunk_length"] = k.chunk_length;
    line["min_chunk_rows"] = k.min_chunk_rows;
    line["runnable"] = k.runnable != 0;
    out << line.dump() << '\n';
  }
}

void print_table(const std::vector<sluice_kernel_info> &kernels, std::ostream &out) {
  std::size_t name_width = 0, schedule_width = 0, runnable = 0;
  for (const sluice_kernel_info &k : kernels) {
    name_width = std::max(name_width, std::string(k.name).size());
    schedule_width = std::max(schedule_width, std::string(k.schedule).size());
    runnable += k.runnable != 0 ? 1U : 0U;
  }
  Table table(out, {{"kernel", name_width},
                    {"op", 5},
                    {"rule", 4},
                    {"dtype", 5},
                    {"head dim", 8, true},
                    {"schedule", schedule_width},
                    {"ISA", 6},
                    {"set", 5},
                    {"parallel", 8},
                    {"C", 3, true},
                    {"r0", 3, true},
                    {"runs here", 9}});
  for (const sluice_kernel_info &k : kernels) {
    table.row({k.name, k.op, k.rule, k.dtype, k.head_dim == 0 ? "any" : std::to_string(k.head_dim), k.schedule, k.isa,
               k.set, k.parallel, std::to_string(k.chunk_length), std::to_string(k.min_chunk_rows),
               k.runnable != 0 ? "yes" : "no"});
  }
  out << kernels.size() << " kernels, " << runnable << " run on this CPU";
  out << (emulated() ? std::string("; ") + emulated_note : "") << '\n';
}

}  // namespace

int list(bool json, std::ostream &out) {
  const std::vector<sluice_kernel_info> kernels = all_kernels();
  if (json) {
    print_json(kernels, out);
  } else {
    print_table(kernels, out);
  }
  return 0;
}

}  // namespace sluice
