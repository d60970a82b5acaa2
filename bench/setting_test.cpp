// A setting's text says what is timed: what it asks for is what the calls have.
#include "bench/setting.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>

#include "tests/run.h"

namespace sluice::bench {
namespace {

Setting parse(const std::string &text) {
  Setting setting;
  apply(text, setting);
  return setting;
}

TEST(Setting, ReadsWhatItDescribes) {
  for (const char *text :
       {"sluice,rule=gdn,T=16,heads=4,D=64", "stream,rule=kda,T=1,heads=2,K=60,V=100,state=apart,workers=2",
        "baseline/two_pass,rule=gdn2,T=5,heads=4,key_heads=2,B=2,D=8,gate=wide,layout=bhtd,align=16,call=2",
        "fma,rule=kda,T=1,heads=1,D=128,isa=base,schedule=two_pass"}) {
    EXPECT_EQ(describe(parse(text)), text);
  }
}

TEST(Setting, RefusesWhatItDoesNotKnow) {
  for (const char *text : {"T=0", "T=1x", "T=", "gate=mild", "state=there", "size=3", "rule=delta", "layout=thbd"}) {
    EXPECT_THROW(parse(text), std::invalid_argument) << text;
  }
  EXPECT_THROW(Workload(parse("align=48").workload), std::invalid_argument);
}

TEST(Workload, AlignsEveryTensorExactly) {
  for (const std::uintptr_t alignment : {4U, 8U, 16U, 32U, 64U}) {
    Setting setting = parse("T=5,heads=2,state=apart,align=" + std::to_string(alignment));
    const Workload workload(setting.workload);
    const sluice_gated_delta_rule_args &args = workload.calls().front();
    for (const sluice_tensor *tensor : {&args.query, &args.key, &args.value, &args.gate, &args.beta, &args.output,
                                        &args.initial_state, &args.final_state}) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor->data) % 64, alignment % 64);
    }
  }
}

TEST(Workload, GivesTheSameResultsHoweverItIsPlacedAndCut) {
  const auto results = [](const std::string &text) {
    const Workload workload(parse("rule=kda,T=7,heads=3,K=20,V=36" + text).workload);
    std::vector<float> all;
    for (const sluice_gated_delta_rule_args &args : workload.calls()) {
      const test::Expected expected = test::token_loop(args);
      // The next call reads the state that this one leaves.
      std::size_t next = 0;
      const sluice_tensor &state = args.final_state;
      for (std::int64_t h = 0; h < state.shape[1]; ++h) {
        for (std::int64_t c = 0; c < state.shape[2]; ++c) {
          for (std::int64_t v = 0; v < state.shape[3]; ++v) {
            test::at(state, 0, h, c, v) = static_cast<float>(expected.final_state[next++]);
          }
        }
      }
    }
    return test::gather(workload.calls().back().final_state);
  };
  const std::vector<float> plain = results("");
  for (const char *placed : {",layout=bhtd", ",align=4", ",state=apart"}) {
    EXPECT_TRUE(test::same_bits(plain, results(placed))) << placed;
  }
  const std::vector<float> cut = results(",call=2");
  ASSERT_EQ(cut.size(), plain.size());
  for (std::size_t i = 0; i < cut.size(); ++i) EXPECT_NEAR(cut[i], plain[i], 1e-5);
}

TEST(Workload, CountsOperationsAndBytes) {
  const Workload workload(parse("rule=gdn,T=3,heads=2,K=4,V=8,B=5").workload);
  EXPECT_EQ(workload.token_heads(), 30);
  EXPECT_EQ(workload.operations(), 30 * 6 * 32);
  // q, k: 4 each; v, o: 8 each; gate, beta: 1 each; the state in and out.
  EXPECT_EQ(workload.bytes(), 4.0 * (30 * (4 + 4 + 8 + 8 + 1 + 1) + 2 * 10 * 32));
}

}  // namespace
}  // namespace sluice::bench
