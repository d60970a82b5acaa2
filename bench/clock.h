// Time for measurements on machines that others use too.
#pragma once

#include <ctime>

namespace sluice::bench {

// What is timed on one thread takes that thread's own time, so that being put aside for another process does not count;
// work of several threads takes the wall's.
class Stopwatch {
 public:
  explicit Stopwatch(int workers) : clock_(workers == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC), begin_(now()) {}

  double seconds() const { return now() - begin_; }

 private:
  double now() const {
    timespec time{};
    clock_gettime(clock_, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  clockid_t clock_;
  double begin_;
};

}  // namespace sluice::bench
