#include "program/table.h"

#include <algorithm>
#include <utility>

namespace sluice {

Table::Table(std::ostream &out, std::vector<Column> columns) : out_(out), columns_(std::move(columns)) {
  for (Column &column : columns_) column.width = std::max(column.width, column.title.size());
}

void Table::row(const std::vector<std::string> &cells) {
  if (!titles_printed_) {
    std::vector<std::string> titles;
    for (const Column &column : columns_) titles.push_back(column.title);
    print(titles);
    titles_printed_ = true;
  }
  print(cells);
}

void Table::print(const std::vector<std::string> &cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t width = columns_[i].width, used = std::min(cells[i].size(), width);
    const std::string padding(width - used, ' ');
    line += i == 0 ? "" : "  ";
    line += columns_[i].right_aligned ? padding + cells[i] : cells[i] + padding;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out_ << line << std::endl;
}

}  // namespace sluice
