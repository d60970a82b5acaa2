#include "tests/lowered.h"

#include <fstream>
#include <stdexcept>

namespace sluice::testing {

namespace {

// "for (name, ..." -> "name"; "produce name {" -> "name"; otherwise "".
std::string name_after(const std::string &text, const std::string &keyword, const std::string &ends) {
  if (text.compare(0, keyword.size(), keyword) != 0) return "";
  return text.substr(keyword.size(), text.find_first_of(ends, keyword.size()) - keyword.size());
}

// Whether `buffer` is indexed in the text, as a whole word.
bool indexes(const std::string &text, const std::string &buffer) {
  for (size_t at = text.find(buffer + "["); at != std::string::npos; at = text.find(buffer + "[", at + 1)) {
    if (at == 0 || std::string(" (-*").find(text[at - 1]) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

Lowered::Lowered(const std::string &path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  struct Scope {
    size_t indent;
    std::string loop, produced;
  };
  std::vector<Scope> scopes;
  for (std::string line; std::getline(file, line);) {
    const size_t indent = line.find_first_not_of(' ');
    if (indent == std::string::npos) continue;
    while (!scopes.empty() && scopes.back().indent >= indent) scopes.pop_back();
    Statement statement{line.substr(indent), {}, {}};
    for (const Scope &scope : scopes) {
      if (!scope.loop.empty()) statement.loops.push_back(scope.loop);
      if (!scope.produced.empty()) statement.produced.push_back(scope.produced);
    }
    scopes.push_back({indent, name_after(statement.text, "for (", ","), name_after(statement.text, "produce ", " ")});
    statements_.push_back(std::move(statement));
  }
}

bool Lowered::contains(const std::string &text) const {
  for (const Statement &s : statements_) {
    if (s.text.find(text) != std::string::npos) return true;
  }
  return false;
}

std::vector<Statement> Lowered::touching(const std::string &buffer) const {
  std::vector<Statement> found;
  for (const Statement &s : statements_) {
    if (s.text.compare(0, 9, "allocate ") != 0 && indexes(s.text, buffer)) found.push_back(s);
  }
  return found;
}

std::vector<Statement> Lowered::produces() const {
  std::vector<Statement> found;
  for (const Statement &s : statements_) {
    if (s.text.compare(0, 8, "produce ") == 0) found.push_back(s);
  }
  return found;
}

std::string Lowered::allocation(const std::string &func) const {
  for (const Statement &s : statements_) {
    const std::string start = "allocate " + func + "[";
    if (s.text.compare(0, start.size(), start) == 0) {
      return s.text.substr(start.size(), s.text.rfind(']') - start.size());
    }
  }
  return "";
}

}  // namespace sluice::testing
