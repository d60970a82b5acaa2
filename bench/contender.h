// Things that can be timed against each other.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "bench/roofs.h"
#include "bench/setting.h"
#include "bench/workload.h"
#include "runtime/kernel.h"

namespace sluice::bench {

// A kernel that this build does not have or this CPU does not run.
class NotHere : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The least time a workload could take: the longer of its arithmetic and of its state's way through memory.
class Roof {
 public:
  Roof(const Workload &workload, const Setting &setting, Isa isa);

  struct Seconds {
    double arithmetic, stream;

    double longer() const { return arithmetic > stream ? arithmetic : stream; }
  };
  // Measures it now.
  Seconds measure();
  // Only one of the two.
  double arithmetic() const;
  double stream();

 private:
  double operations_;
  int workers_, sweeps_;
  Isa isa_;
  Stream buffer_;
};

class Contender {
 public:
  virtual ~Contender() = default;
  Contender(const Contender &) = delete;
  Contender &operator=(const Contender &) = delete;

  // Seconds a run, over `runs` runs one after the other.
  virtual double seconds(int runs) = 0;

  const Setting &setting() const { return setting_; }
  const Workload &workload() const { return workload_; }
  // The highest ISA its kernels use.
  Isa isa() const { return isa_; }
  // The kernel that does most of the work; "" if it is none.
  const std::string &kernel() const { return kernel_; }

 protected:
  explicit Contender(const Setting &setting);

  Setting setting_;
  Workload workload_;
  Isa isa_;
  std::string kernel_;
};

// Throws NotHere, std::invalid_argument, or std::runtime_error with the library's message.
std::unique_ptr<Contender> make_contender(const Setting &setting);

}  // namespace sluice::bench
