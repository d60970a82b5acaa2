// Reads the .stmt file that is kept beside a kernel: which loops and which produced Funcs enclose a statement.
#pragma once

#include <string>
#include <vector>

namespace sluice::testing {

struct Statement {
  std::string text;
  std::vector<std::string> loops;     // names of the enclosing for loops, outermost first
  std::vector<std::string> produced;  // names of the enclosing produce nodes, outermost first
};

class Lowered {
 public:
  explicit Lowered(const std::string &path);  // throws std::runtime_error if it cannot be read

  bool contains(const std::string &text) const;
  // Statements that load from or store to a buffer.
  std::vector<Statement> touching(const std::string &buffer) const;
  // For every Func, the loops that enclose its produce node.
  std::vector<Statement> produces() const;
  // The text between the brackets of the Func's allocate, "" if there is none.
  std::string allocation(const std::string &func) const;

 private:
  std::vector<Statement> statements_;
};

}  // namespace sluice::testing
