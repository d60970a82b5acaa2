#include "runtime/thread_pool.h"

#include <chrono>
#include <exception>
#include <functional>
#include <utility>

#if !defined(_WIN32)
#include <csignal>
#endif

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sluice {

namespace {

constexpr std::chrono::microseconds kAwake{100};
constexpr int kChecksBetweenYields = 64;

void pause() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#endif
}

// The calling thread's signals, all blocked for a while.
class BlockedSignals {
#if !defined(_WIN32)
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals &) = delete;
  BlockedSignals &operator=(const BlockedSignals &) = delete;

 private:
  sigset_t before_;
#endif
};

}  // namespace

void ThreadPool::Signal::set(int value) {
  bool asleep = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    value_.store(value, std::memory_order_release);
    asleep = asleep_;
  }
  if (asleep) changed_.notify_one();
}

int ThreadPool::Signal::wait_while(int old) {
  const auto begin = std::chrono::steady_clock::now();
  do {
    for (int n = 0; n < kChecksBetweenYields; n++) {
      if (const int value = value_.load(std::memory_order_acquire); value != old) return value;
      pause();
    }
    // Lets the one it waits for run, should they be on the same core.
    std::this_thread::yield();
  } while (std::chrono::steady_clock::now() - begin < kAwake);
  std::unique_lock<std::mutex> lock(mutex_);
  asleep_ = true;
  changed_.wait(lock, [&] { return value_.load(std::memory_order_relaxed) != old; });
  asleep_ = false;
  return value_.load(std::memory_order_relaxed);
}

int ThreadPool::grow(int wanted) {
  if (static_cast<int>(members_.size()) >= wanted || refused_) return static_cast<int>(members_.size());
  const BlockedSignals blocked{};  // threads inherit them
  while (static_cast<int>(members_.size()) < wanted) {
    try {
      members_.reserve(members_.size() + 1);
      auto member = std::make_unique<Member>();
      member->thread = std::thread(&ThreadPool::serve, this, std::ref(*member), static_cast<int>(members_.size()) + 1);
      members_.push_back(std::move(member));
    } catch (const std::exception &) {  // no memory, or no more threads
      refused_ = true;
      break;
    }
  }
  return static_cast<int>(members_.size());
}

void ThreadPool::serve(Member &member, int index) {
  while (member.order.wait_while(none) == work) {
    member.order.reset(none);
    part_(data_, index);
    if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) finished_.set(1);
  }
}

void ThreadPool::run(int count, Part part, void *data) {
  part_ = part, data_ = data;
  unfinished_.store(count - 1, std::memory_order_relaxed);
  finished_.reset(0);
  for (int n = 0; n + 1 < count; n++) members_[static_cast<std::size_t>(n)]->order.set(work);
  part(data, 0);
  if (count > 1) finished_.wait_while(0);
}

ThreadPool::~ThreadPool() {
  for (const auto &member : members_) member->order.set(end);
  for (const auto &member : members_) member->thread.join();
}

}  // namespace sluice
