// Text tables for people.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace sluice {

struct Column {
  std::string title;
  std::size_t width;  // of its widest cell
  bool right_aligned = false;
};

/// Prints row by row, so that a long job shows how far it is.
class Table {
 public:
  Table(std::ostream &out, std::vector<Column> columns);

  /// One cell per column; the titles come before the first row. A cell wider than its column pushes the others aside.
  void row(const std::vector<std::string> &cells);

 private:
  void print(const std::vector<std::string> &cells);

  std::ostream &out_;
  std::vector<Column> columns_;
  bool titles_printed_ = false;
};

}  // namespace sluice
