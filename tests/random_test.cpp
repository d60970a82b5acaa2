// Two thousand random problems with fixed seeds. A failure is shrunk to a small one before it is reported.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <stdexcept>

#include "tests/random_case.h"
#include "tests/run.h"

namespace sluice::test {
namespace {

constexpr int problems = 2000, problems_per_test = 100;

// How the problem is run: by the dispatcher's choice or by one row, by 1 or 3 workers.
struct Attempt {
  Case problem;
  std::string kernel;
  int workers = 1;
};

Attempt random_attempt(std::uint64_t seed) {
  Attempt attempt;
  attempt.problem = random_case(seed);
  Pick pick(seed + 1000000);
  attempt.workers = pick.one_in(3) ? 3 : 1;
  const std::vector<sluice_kernel_info> rows =
      rows_for(attempt.problem.rule, attempt.problem.shape.K, attempt.problem.shape.V);
  if (pick.one_in(2) && !rows.empty()) {
    attempt.kernel = rows[static_cast<std::size_t>(pick.between(0, static_cast<std::int64_t>(rows.size()) - 1))].name;
  }
  return attempt;
}

// What is wrong with the library's answer; nothing if it is right.
std::optional<std::string> fault(const Attempt &attempt) {
  Problem problem(attempt.problem);
  ContextSetup setup;
  setup.workers = attempt.workers;
  setup.kernel = attempt.kernel;
  try {
    const Context context = make_context(setup);
    const sluice_gated_delta_rule_args args = problem.args();
    const Expected expected = token_loop(args);
    const Result apart = run(context.get(), args);
    const ::testing::AssertionResult close = close_to(expected, args);
    if (!close) return close.message();
    if (!problem.padding_untouched()) return "writes outside its outputs";
    if (attempt.problem.initial_state && attempt.problem.final_state) {
      const ::testing::AssertionResult same = same_bits(apart, run(context.get(), problem.in_place_args()));
      if (!same) return std::string("in place: ") + same.message();
    }
  } catch (const std::runtime_error &error) {
    return error.what();
  }
  return std::nullopt;
}

// Simpler variants of an attempt; a kernel for one head dim keeps its size.
std::vector<Attempt> simpler(const Attempt &attempt) {
  const std::function<void(Attempt &)> changes[] = {
      [](Attempt &a) { a.problem.shape.T /= 2; },
      [](Attempt &a) { a.problem.shape.T -= a.problem.shape.T > 0 ? 1 : 0; },
      [](Attempt &a) { a.problem.shape.B = 1; },
      [](Attempt &a) { a.problem.shape.Hq = a.problem.shape.Hk = a.problem.shape.Hs = 1; },
      [](Attempt &a) { a.problem.shape.Hq = a.problem.shape.Hs; },
      [](Attempt &a) { a.problem.shape.K = a.problem.shape.K > 1 ? a.problem.shape.K / 2 : 1; },
      [](Attempt &a) { a.problem.shape.V = a.problem.shape.V > 32 ? a.problem.shape.V / 2 : a.problem.shape.V; },
      [](Attempt &a) { a.problem.head_map = SLUICE_HEAD_MAP_DIVIDE; },
      [](Attempt &a) { a.problem.gate = Gate::ordinary; },
      [](Attempt &a) { a.problem.gate_kind = SLUICE_GATE_DECAY; },
      [](Attempt &a) { a.problem.beta = Beta::ordinary; },
      [](Attempt &a) { a.problem.l2norm = false; },
      [](Attempt &a) { a.problem.initial_state = true; },
      [](Attempt &a) { a.problem.final_state = true; },
      [](Attempt &a) { a.problem.layout = Layout::bhtd; },
      [](Attempt &a) { a.problem.placement = Placement::start; },
      [](Attempt &a) { a.workers = 1; },
  };
  std::vector<Attempt> attempts;
  for (const auto &change : changes) {
    Attempt other = attempt;
    change(other);
    const Shape &shape = other.problem.shape;
    const bool same = describe(other.problem) == describe(attempt.problem) && other.workers == attempt.workers;
    bool fits = attempt.kernel.empty();
    for (const sluice_kernel_info &row : rows_for(other.problem.rule, shape.K, shape.V)) {
      fits = fits || attempt.kernel == row.name;
    }
    if (!same && fits) attempts.push_back(other);
  }
  return attempts;
}

Attempt shrunk(Attempt attempt) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (const Attempt &candidate : simpler(attempt)) {
      if (!fault(candidate)) continue;
      attempt = candidate;
      smaller = true;
      break;
    }
  }
  return attempt;
}

class RandomProblems : public ::testing::TestWithParam<int> {};

TEST_P(RandomProblems, EqualTheTokenLoop) {
  for (int i = 0; i < problems_per_test; ++i) {
    const auto seed = static_cast<std::uint64_t>(GetParam() * problems_per_test + i);
    const Attempt attempt = random_attempt(seed);
    const std::optional<std::string> found = fault(attempt);
    if (!found) continue;
    const Attempt small = shrunk(attempt);
    ADD_FAILURE() << attempt.problem << "\n  " << *found << "\nshrunk to\n  " << small.problem << "\n  kernel "
                  << (small.kernel.empty() ? "of the dispatcher" : small.kernel) << ", workers " << small.workers
                  << "\n  " << fault(small).value_or("does not fail again");
    return;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomProblems, ::testing::Range(0, problems / problems_per_test));

}  // namespace
}  // namespace sluice::test
