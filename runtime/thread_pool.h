// A context's own threads: each waits for its part of a loop, first awake, then asleep.
//
// A model calls layer after layer, microseconds apart. A thread that sleeps in between takes 20 to 50 us to come back,
// as long as a decode step, and may come back on the core that the caller is busy on.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace sluice {

class ThreadPool {
 public:
  using Part = void (*)(void *data, int index);

  ThreadPool() = default;
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  // Starts threads until there are `wanted`, or as many as the system gives; once it refuses one, it is not asked
  // again. Returns how many there are. They block all signals, which are the program's to handle.
  int grow(int wanted);

  // Runs parts 0 to count - 1 at the same time, part 0 on the calling thread, and returns when all are done. `count` is
  // at most 1 + the number of threads. Parts do not throw. One caller at a time.
  void run(int count, Part part, void *data);

 private:
  // A value that one side waits for the other to set.
  class Signal {
   public:
    void set(int value);
    // Waits until the value is no longer `old`, and returns it.
    int wait_while(int old);
    // Only while nobody waits.
    void reset(int value) { value_.store(value, std::memory_order_relaxed); }

   private:
    std::atomic<int> value_{0};
    std::mutex mutex_;
    std::condition_variable changed_;
    bool asleep_ = false;
  };
  struct alignas(64) Member {
    std::thread thread;
    Signal order;
  };
  enum Order { none, work, end };

  void serve(Member &member, int index);

  std::vector<std::unique_ptr<Member>> members_;
  bool refused_ = false;
  Part part_ = nullptr;
  void *data_ = nullptr;
  std::atomic<int> unfinished_{0};
  Signal finished_;
};

}  // namespace sluice
