// Load: threads with contexts of their own, random problems, every result checked, memory flat.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "tests/random_case.h"
#include "tests/run.h"

namespace sluice::test {
namespace {

constexpr int threads = 8, problems_per_thread = 40;

// SLUICE_LOAD_SECONDS shortens it where a sanitizer makes everything slow.
std::chrono::seconds duration() {
  const char *text = std::getenv("SLUICE_LOAD_SECONDS");
  return std::chrono::seconds(text == nullptr ? 60 : std::atoi(text));
}

std::size_t heap_in_use() {
#if defined(__GLIBC__)
  return mallinfo2().uordblks + mallinfo2().hblkhd;
#else
  return 0;
#endif
}

// A problem, its answer once checked, and whether everything since was the same to the bit.
class Job {
 public:
  explicit Job(std::uint64_t seed) : case_(random_case(seed)), problem_(case_) {}

  // "" if the call is right, else what is wrong with it.
  std::string first(sluice_context *context) {
    return checked([&] {
      const sluice_gated_delta_rule_args args = problem_.args();
      answer_ = run(context, args);
      return close_to(token_loop(args), args);
    });
  }
  std::string again(sluice_context *context) {
    return checked([&] { return same_bits(answer_, run(context, problem_.args())); });
  }

 private:
  template <typename Check>
  std::string checked(Check check) const {
    try {
      const ::testing::AssertionResult result = check();
      return result ? "" : describe(case_) + ": " + result.message();
    } catch (const std::runtime_error &error) {
      return describe(case_) + ": " + error.what();
    }
  }

  Case case_;
  Problem problem_;
  Result answer_;
};

TEST(Load, ThreadsWithTheirOwnContextsGetTheSameBitsForAMinute) {
  std::atomic<int> warm{0};
  std::atomic<bool> go{false}, stop{false};
  std::atomic<std::int64_t> calls{0};
  std::vector<std::string> failures(threads);
  const auto work = [&](int index) {
    ContextSetup setup;
    setup.workers = index % 3 + 1;
    if (index % 4 == 3) setup.parallel_for = threaded_parallel_for;
    const Context context = make_context(setup);
    std::vector<Job> jobs;
    for (int n = 0; n < problems_per_thread; ++n) {
      jobs.emplace_back(static_cast<std::uint64_t>(10000 + index * problems_per_thread + n));
      const std::string wrong = jobs.back().first(context.get());
      if (!wrong.empty()) failures[static_cast<std::size_t>(index)] = wrong;
    }
    ++warm;
    while (!go) std::this_thread::yield();
    Pick pick(static_cast<std::uint64_t>(index));
    while (!stop) {
      Job &job = jobs[static_cast<std::size_t>(pick.between(0, problems_per_thread - 1))];
      const std::string wrong = job.again(context.get());
      if (!wrong.empty()) failures[static_cast<std::size_t>(index)] = wrong;
      ++calls;
    }
  };
  std::vector<std::thread> pool;
  for (int index = 0; index < threads; ++index) pool.emplace_back(work, index);
  while (warm < threads) std::this_thread::yield();
  const std::size_t before = heap_in_use();
  go = true;
  std::this_thread::sleep_for(duration());
  const std::size_t after = heap_in_use();
  stop = true;
  for (std::thread &thread : pool) thread.join();

  for (const std::string &failure : failures) EXPECT_EQ(failure, "");
  EXPECT_GT(calls, 8 * problems_per_thread);
  // Between the calls each thread holds at most one result; more is a leak.
  EXPECT_LT(after, before + (std::size_t{64} << 20));
}

}  // namespace
}  // namespace sluice::test
