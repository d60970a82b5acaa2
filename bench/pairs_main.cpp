// sluice_pairs: two contenders timed in turn, or the project's claims one after the other.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "bench/claims.h"
#include "bench/machine.h"
#include "bench/pairs.h"
#include "program/table.h"
#ifdef SLUICE_HAVE_STUDY
#include "runtime/study.h"
#endif

namespace {

using Json = nlohmann::ordered_json;
using sluice::bench::Claim;
using sluice::bench::Interval;
using sluice::bench::PairOptions;
using sluice::bench::PairResult;
using sluice::bench::Setting;
using sluice::bench::Side;

std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

Json json_of(const Interval &interval) {
  return {{"low", interval.low}, {"median", interval.median}, {"high", interval.high}};
}

Json json_of(const Side &side) {
  return {{"setting", side.setting},
          {"kernel", side.kernel},
          {"ns_per_token_head", side.ns_per_token_head},
          {"gflops", side.gflops},
          {"roof_share", json_of(side.roof_share)}};
}

Json json_of(const PairResult &result) {
  return {
      {"pairs", result.pairs}, {"ratio", json_of(result.ratio)}, {"a", json_of(result.a)}, {"b", json_of(result.b)}};
}

Setting parse(const std::string &common, const std::string &text) {
  Setting setting;
  setting.workload.problem.shape = {1, 512, 8, 8, 8, 128, 128};
  apply(common, setting);
  apply(text, setting);
  return setting;
}

void print(const Side &side, const char *name) {
  std::cout << name << "  " << fixed(side.ns_per_token_head, 1) << " ns/token/head  " << fixed(side.gflops, 2)
            << " GFLOP/s  " << fixed(100 * side.roof_share.median, 1) << " % of roof  " << side.setting;
  if (!side.kernel.empty() && side.setting.rfind(side.kernel, 0) != 0) std::cout << "  (" << side.kernel << ")";
  std::cout << '\n';
}

Json compare_two(const std::string &a, const std::string &b, const std::string &common, const PairOptions &options) {
  const PairResult result = compare(parse(common, a), parse(common, b), options);
  print(result.a, "A");
  print(result.b, "B");
  std::cout << "A is " << fixed(result.ratio.median, 3) << " x B  [" << fixed(result.ratio.low, 3) << ", "
            << fixed(result.ratio.high, 3) << "]  " << result.pairs << " pairs\n";
  return json_of(result);
}

const char *verdict(const Claim &claim, const Interval &ratio) {
  if (claim.aim == 0) return "";
  // What the interval does not settle is not claimed.
  if (claim.must_show > 0 && ratio.high < claim.must_show) return "FAILS";
  if (claim.must_show > 0 && ratio.low < claim.must_show) return "open";
  return ratio.median >= claim.aim ? "aim" : claim.must_show > 0 ? "shows" : "below aim";
}

Json check_claims(const std::string &filter, const PairOptions &options, bool &failed) {
  sluice::Table table(std::cout, {{"claim", 52},
                                  {"A/B", 6, true},
                                  {"95 % interval", 14},
                                  {"must", 5, true},
                                  {"aim", 5, true},
                                  {"verdict", 9},
                                  {"A ns/token/head", 15, true},
                                  {"A % of roof", 11, true}});
  Json results = Json::array();
  for (const Claim &claim : sluice::bench::claims()) {
    if (claim.name.find(filter) == std::string::npos) continue;
    const auto bar = [](double value) { return value > 0 ? fixed(value, 2) : std::string(); };
    try {
      const PairResult result = compare(parse("", claim.a), parse("", claim.b), options);
      const std::string word = verdict(claim, result.ratio);
      failed = failed || word == "FAILS";
      table.row({claim.name, fixed(result.ratio.median, 3),
                 fixed(result.ratio.low, 3) + " - " + fixed(result.ratio.high, 3), bar(claim.must_show), bar(claim.aim),
                 word, fixed(result.a.ns_per_token_head, 1), fixed(100 * result.a.roof_share.median, 1)});
      Json entry = json_of(result);
      entry["claim"] = claim.name;
      entry["must_show"] = claim.must_show;
      entry["aim"] = claim.aim;
      entry["verdict"] = word;
      results.push_back(entry);
    } catch (const sluice::bench::NotHere &reason) {
      table.row({claim.name, "", reason.what()});
    }
  }
  return results;
}

}  // namespace

int main(int argc, char **argv) {
#ifdef SLUICE_HAVE_STUDY
  sluice::register_study_kernels();
#endif
  CLI::App app(
      "Times two contenders in turn and gives the ratio of their rates with a 95 % interval.\n"
      "A and B: WHAT[,KEY=VALUE]..., where WHAT is sluice, a kernel's name, baseline/NAME, stream, fma or roof.",
      "sluice_pairs");
  std::string a, b, common, filter, json_file;
  PairOptions options;
  app.add_option("A", a, "e.g. sluice,rule=gdn,T=512");
  app.add_option("B", b, "e.g. baseline/two_pass");
  app.add_option("--on", common, "Keys for both sides, e.g. rule=kda,T=1,heads=32")->type_name("KEY=VALUE,...");
  app.add_option("--pairs", options.pairs, "Pairs")->check(CLI::Range(1, 100000))->capture_default_str();
  app.add_option("--seconds", options.sample_seconds, "Shortest sample")->capture_default_str();
  app.add_option("--cpu", options.cpu, "CPU for what has one worker; default: the last usable one");
  app.add_option("--json", json_file, "Keep the results in this file");
  CLI::Option *const claims = app.add_option("--claims", filter, "Check the project's claims, those that contain TEXT")
                                  ->type_name("TEXT")
                                  ->expected(0, 1);
  CLI11_PARSE(app, argc, argv);
  if (claims->count() == 0 && b.empty()) return app.exit(CLI::RequiredError("A and B, or --claims"));

  try {
    bool failed = false;
    Json report = {{"machine", sluice::bench::machine_json()}};
    if (claims->count() > 0) {
      report["claims"] = check_claims(filter, options, failed);
    } else {
      report["comparison"] = compare_two(a, b, common, options);
    }
    if (!json_file.empty()) {
      std::ofstream file(json_file);
      file << report.dump(2) << '\n';
      if (!file.flush()) throw std::runtime_error(json_file + ": cannot be written");
    }
    return failed ? 1 : 0;
  } catch (const std::exception &problem) {
    std::cerr << "sluice_pairs: " << problem.what() << '\n';
    return 2;
  }
}
