// Runs the `sluice` program as a child process.
#pragma once

#include <string>
#include <vector>

namespace sluice::test {

struct Outcome {
  int status;  // exit status; 128 + n for signal n
  std::string out, messages;
};

// `environment` entries are NAME=value, added to this process's own.
Outcome run_program(const std::vector<std::string> &arguments, const std::vector<std::string> &environment = {});

// A path for this test alone; removed with everything below it when the object goes.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  std::string file(const std::string &name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// A capture of tests/data.
std::string data_file(const std::string &name);

}  // namespace sluice::test
