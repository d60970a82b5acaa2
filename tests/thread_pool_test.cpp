// A context's own threads: awake, asleep, growing and going away.
#include "runtime/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

namespace sluice {
namespace {

constexpr std::chrono::milliseconds kUntilAsleep{2};

struct Counts {
  std::vector<std::atomic<int>> of_part;

  explicit Counts(int parts) : of_part(static_cast<std::size_t>(parts)) {}
  static void add(void *data, int index) {
    static_cast<Counts *>(data)->of_part[static_cast<std::size_t>(index)].fetch_add(1, std::memory_order_relaxed);
  }
  // Parts 0 to count - 1 have run `times`, the others never.
  void expect(int count, int times) const {
    for (int n = 0; n < static_cast<int>(of_part.size()); n++) {
      EXPECT_EQ(of_part[static_cast<std::size_t>(n)].load(), n < count ? times : 0) << "part " << n << " of " << count;
    }
  }
};

TEST(ThreadPool, EachPartRunsOnceInEachOfManyRounds) {
  constexpr int threads = 3, rounds = 2000;
  ThreadPool pool;
  ASSERT_EQ(pool.grow(threads), threads);
  for (int count = 1; count <= 1 + threads; count++) {
    Counts counts(1 + threads);
    for (int round = 0; round < rounds; round++) pool.run(count, Counts::add, &counts);
    counts.expect(count, rounds);
  }
}

TEST(ThreadPool, ThreadsThatHaveFallenAsleepComeBack) {
  ThreadPool pool;
  ASSERT_EQ(pool.grow(2), 2);
  Counts counts(3);
  for (int round = 0; round < 20; round++) {
    std::this_thread::sleep_for(kUntilAsleep);
    pool.run(3, Counts::add, &counts);
  }
  counts.expect(3, 20);
}

TEST(ThreadPool, CallerThatHasFallenAsleepComesBackWhenTheSlowestPartIsDone) {
  ThreadPool pool;
  ASSERT_EQ(pool.grow(2), 2);
  for (int round = 0; round < 10; round++) {
    Counts counts(3);
    pool.run(
        3,
        [](void *data, int index) {
          if (index > 0) std::this_thread::sleep_for(kUntilAsleep * index);
          Counts::add(data, index);
        },
        &counts);
    counts.expect(3, 1);
  }
}

TEST(ThreadPool, PartsRunAtTheSameTime) {
  ThreadPool pool;
  ASSERT_EQ(pool.grow(3), 3);
  std::atomic<int> arrived{0};
  pool.run(
      4,
      [](void *data, int) {
        auto &count = *static_cast<std::atomic<int> *>(data);
        count++;
        while (count.load() < 4) std::this_thread::yield();
      },
      &arrived);
  EXPECT_EQ(arrived.load(), 4);
}

TEST(ThreadPool, GrowsBetweenRoundsAndNeverShrinks) {
  ThreadPool pool;
  for (const int wanted : {0, 1, 4, 2}) {
    const int threads = pool.grow(wanted);
    EXPECT_GE(threads, wanted);
    Counts counts(1 + threads);
    pool.run(1 + threads, Counts::add, &counts);
    counts.expect(1 + threads, 1);
  }
  EXPECT_EQ(pool.grow(0), 4);
}

#if !defined(_WIN32)
TEST(ThreadPool, SignalsAreTheProgramsToHandle) {
  ThreadPool pool;
  ASSERT_EQ(pool.grow(2), 2);
  std::atomic<int> blocked{0};
  const auto count_if_blocked = [](void *data, int) {
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, nullptr, &mask);
    if (sigismember(&mask, SIGUSR1) == 1) ++*static_cast<std::atomic<int> *>(data);
  };
  pool.run(3, count_if_blocked, &blocked);
  EXPECT_EQ(blocked.load(), 2) << "the caller's own mask is as it was";
}
#endif

TEST(ThreadPool, GoesAwayWithItsThreadsAwakeOrAsleep) {
  for (const auto wait : {std::chrono::milliseconds(0), kUntilAsleep}) {
    for (const int rounds : {0, 1}) {
      ThreadPool pool;
      ASSERT_EQ(pool.grow(3), 3);
      Counts counts(4);
      for (int round = 0; round < rounds; round++) pool.run(4, Counts::add, &counts);
      std::this_thread::sleep_for(wait);
    }
  }
}

}  // namespace
}  // namespace sluice
