#include "bench/claims.h"

#include "bench/roofs.h"
#include "runtime/cpu.h"

namespace sluice::bench {
namespace {

void prefill(std::vector<Claim> &all) {
  const std::string plain = "sluice,rule=kda,heads=8,D=128,T=512";
  for (const char *T : {"512", "2048"}) {
    const std::string kda = "sluice,rule=kda,heads=8,D=128,T=" + std::string(T);
    all.push_back({std::string("prefill kda, % of FMA peak, T=") + T, kda, "fma" + kda.substr(6), 0, 0.70});
    all.push_back({std::string("prefill gdn over kda, T=") + T, kda + ",rule=gdn", kda, 1.08, 1.08});
    all.push_back({std::string("prefill gdn2 over kda, T=") + T, kda + ",rule=gdn2", kda, 0.92, 0.96});
  }
  all.push_back({"prefill d64 over d128, per flop", plain + ",D=64", plain, 0.80, 0.90});
  all.push_back({"prefill d256 over d128, per flop", plain + ",D=256", plain, 0.95, 1.05});
  all.push_back({"prefill any, K=V=96 over d128, per flop", plain + ",D=96", plain, 0.65, 0.85});
  all.push_back({"prefill any, K=60 V=100 over d128, per flop", plain + ",K=60,V=100", plain, 0.45, 0.60});
  for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512, Isa::neon}) {
    if (!host_isa_support().has(isa)) continue;
    const std::string kernel = std::string("sluice_chunk_kda_f32_d128_register_tiled_") + isa_name(isa);
    all.push_back({std::string("prefill kda of ") + isa_name(isa) + ", % of its peak", kernel + ",heads=8,T=512",
                   "fma,isa=" + std::string(isa_name(isa)) + ",rule=kda,heads=8,D=128,T=512", 0.50, 0.65});
  }
  for (const char *loop : {"four_pass", "two_pass", "chunk_value_outer", "chunk_head_dim"}) {
    all.push_back({std::string("prefill kda over baseline ") + loop, plain,
                   "baseline/" + std::string(loop) + plain.substr(6), 0, 0});
  }
}

void decode(std::vector<Claim> &all) {
  for (const char *heads : {"8", "32", "128", "512"}) {
    const std::string work = ",rule=kda,D=128,T=1,heads=" + std::string(heads);
    all.push_back(
        {std::string("decode in place, % of roof, heads=") + heads, "sluice" + work, "roof" + work, 0.75, 0.90});
  }
  for (const auto &[heads, bar] : {std::pair{"32", 0.85}, {"128", 0.85}, {"512", 0.75}}) {
    const std::string work = ",rule=kda,D=128,T=1,state=apart,heads=" + std::string(heads);
    all.push_back(
        {std::string("decode out of place, % of stream, heads=") + heads, "sluice" + work, "stream" + work, bar, 0.95});
  }
  for (const char *loop : {"four_pass", "two_pass"}) {
    const std::string work = ",rule=kda,D=128,T=1,heads=32";
    all.push_back({std::string("decode kda over baseline ") + loop, "sluice" + work,
                   "baseline/" + std::string(loop) + work, 0, 0});
  }
}

void short_prompts(std::vector<Claim> &all) {
  for (int T = 2; T <= 15; ++T) {
    const std::string prompt = "sluice,rule=kda,heads=32,D=128,T=" + std::to_string(T);
    // A call that goes by steps is the steps themselves: the bar leaves room for noise, not for a slower prompt.
    all.push_back({"short prompt over decode steps, T=" + std::to_string(T), prompt, prompt + ",call=1", 0.98, 1.0});
  }
}

void workers(std::vector<Claim> &all) {
  const std::string prefill = "sluice,rule=kda,heads=8,D=128,T=512", decode = "sluice,rule=kda,heads=32,D=128,T=1";
  all.push_back({"2 workers over 1, prefill, 8 heads", prefill + ",workers=2", prefill, 1.9, 1.9});
  all.push_back({"2 workers over 1, prefill, 1 head", prefill + ",heads=1,workers=2", prefill + ",heads=1", 1.4, 1.6});
  all.push_back({"2 workers over 1, decode, 32 heads (>= 0.95 x next)", decode + ",workers=2", decode, 0, 0});
  all.push_back({"2 workers over 1, stream of 32 heads", "stream" + decode.substr(6) + ",workers=2",
                 "stream" + decode.substr(6), 0, 0});
}

void data(std::vector<Claim> &all) {
  const std::string prefill = "sluice,rule=kda,heads=8,D=128,T=512", decode = "sluice,rule=kda,heads=32,D=128,T=1";
  for (const char *gate : {"tiny", "small", "wide", "zero_or_one"}) {
    all.push_back(
        {std::string("prefill with gates ") + gate + " over ordinary", prefill + ",gate=" + gate, prefill, 0.97, 1.0});
  }
  all.push_back({"prefill, 16-byte aligned over 64", prefill + ",align=16", prefill, 0.90, 1.0});
  all.push_back({"decode, 16-byte aligned over 64", decode + ",align=16", decode, 0.90, 1.0});
}

}  // namespace

std::vector<Claim> claims() {
  std::vector<Claim> all;
  prefill(all);
  decode(all);
  short_prompts(all);
  workers(all);
  data(all);
  return all;
}

}  // namespace sluice::bench
