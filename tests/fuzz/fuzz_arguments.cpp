// libFuzzer over the C interface's descriptors. Bytes become an argument struct, from sensible to absurd, whose tensors
// point into memory of known size. The plan call must answer whatever it gets; where it accepts tensors that lie in
// their memory, the operator runs on them, and AddressSanitizer watches.
#include <fuzzer/FuzzedDataProvider.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>

#include "sluice/sluice.h"

namespace {

constexpr std::int64_t region_floats = 1 << 12;

void check(bool holds) {
  if (!holds) std::abort();
}

// A number that is usually small, sometimes anything.
std::int64_t number(FuzzedDataProvider &bytes, std::int64_t usual_most) {
  return bytes.ConsumeIntegralInRange(0, 15) == 15 ? bytes.ConsumeIntegral<std::int64_t>()
                                                   : bytes.ConsumeIntegralInRange<std::int64_t>(0, usual_most);
}

struct Problem {
  std::int64_t B, T, Hq, Hk, Hs, K, V;
};

// One tensor with memory of its own, exactly `region_floats` long.
class Region {
 public:
  Region() : memory_(new float[region_floats]) {
    for (std::size_t i = 0; i < region_floats; i++) memory_[i] = 0.25f + 0.001f * static_cast<float>(i % 97);
  }

  sluice_tensor tensor(FuzzedDataProvider &bytes, std::initializer_list<std::int64_t> shape) {
    sluice_tensor t{};
    t.data = bytes.ConsumeIntegralInRange(0, 31) == 31 ? nullptr : memory_.get() + bytes.ConsumeIntegralInRange(0, 3);
    t.dtype = bytes.ConsumeIntegralInRange(0, 63) == 63 ? bytes.ConsumeIntegral<std::int32_t>() : SLUICE_F32;
    t.rank = static_cast<std::int32_t>(shape.size());
    std::int64_t stride = 1;
    std::int64_t axis = t.rank;
    for (auto extent = std::rbegin(shape); extent != std::rend(shape); ++extent) {
      axis--;
      t.shape[axis] = *extent;
      t.stride[axis] = stride;
      if (*extent > 0 && stride < region_floats && *extent < region_floats) stride *= *extent;
    }
    if (bytes.ConsumeIntegralInRange(0, 7) == 7) {  // something else somewhere
      const auto where = bytes.ConsumeIntegralInRange(0, SLUICE_MAX_RANK - 1);
      t.shape[where] = number(bytes, 9);
      const auto axis_of_stride = bytes.ConsumeIntegralInRange(0, SLUICE_MAX_RANK - 1);
      t.stride[axis_of_stride] =
          bytes.ConsumeBool() ? number(bytes, 300) : bytes.ConsumeIntegralInRange<std::int64_t>(-40, 0);
      if (bytes.ConsumeBool()) t.rank = static_cast<std::int32_t>(number(bytes, 5));
    }
    return t;
  }

  // Whether all that the tensor describes lies in the region. Called for tensors that validation accepted.
  bool holds(const sluice_tensor &t) const {
    if (t.data == nullptr) return true;
    __int128 lowest = static_cast<const float *>(t.data) - memory_.get(), highest = lowest;
    for (std::int32_t axis = 0; axis < t.rank; axis++) {
      if (t.shape[axis] == 0) return true;
      const __int128 reach = static_cast<__int128>(t.shape[axis] - 1) * t.stride[axis];
      (reach < 0 ? lowest : highest) += reach;
    }
    return lowest >= 0 && highest < region_floats;
  }

 private:
  std::unique_ptr<float[]> memory_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  FuzzedDataProvider bytes(data, size);
  static sluice_context *const contexts[2] = {[] {
                                                sluice_context *c = nullptr;
                                                check(sluice_context_create(nullptr, &c) == SLUICE_OK);
                                                return c;
                                              }(),
                                              [] {
                                                sluice_context_options options;
                                                sluice_context_options_init(&options);
                                                options.workers = 2;
                                                sluice_context *c = nullptr;
                                                check(sluice_context_create(&options, &c) == SLUICE_OK);
                                                return c;
                                              }()};
  sluice_context *context = contexts[bytes.ConsumeBool()];

  sluice_gated_delta_rule_args args;
  sluice_gated_delta_rule_args_init(&args);
  args.rule = static_cast<std::int32_t>(number(bytes, 2));
  args.gate_kind = static_cast<std::int32_t>(number(bytes, 1));
  args.head_map = static_cast<std::int32_t>(number(bytes, 1));
  args.l2norm = static_cast<std::int32_t>(number(bytes, 1));
  if (bytes.ConsumeIntegralInRange(0, 15) == 15) args.scale = bytes.ConsumeFloatingPoint<float>();
  if (bytes.ConsumeIntegralInRange(0, 31) == 31) args.struct_size = bytes.ConsumeIntegral<std::size_t>();
  if (bytes.ConsumeIntegralInRange(0, 31) == 31) args.reserved[bytes.ConsumeIntegralInRange(0, 7)] = 1;

  Problem p{};
  p.B = number(bytes, 2), p.T = number(bytes, 40), p.Hk = number(bytes, 2), p.K = number(bytes, 20),
  p.V = number(bytes, 36);
  p.Hs = bytes.ConsumeBool() ? p.Hk : number(bytes, 4);
  p.Hq = bytes.ConsumeBool() ? p.Hk : number(bytes, 4);
  const std::int64_t Ho = p.Hq > p.Hs ? p.Hq : p.Hs;

  Region regions[10];
  const bool gdn = args.rule == SLUICE_GDN;
  args.query = regions[0].tensor(bytes, {p.B, p.Hq, p.T, p.K});
  args.key = regions[1].tensor(bytes, {p.B, p.Hk, p.T, p.K});
  args.value = regions[2].tensor(bytes, {p.B, p.Hs, p.T, p.V});
  args.gate = gdn ? regions[3].tensor(bytes, {p.B, p.Hs, p.T}) : regions[3].tensor(bytes, {p.B, p.Hs, p.T, p.K});
  if (args.rule == SLUICE_GDN2) {
    args.erase = regions[4].tensor(bytes, {p.B, p.Hs, p.T, p.K});
    args.write = regions[5].tensor(bytes, {p.B, p.Hs, p.T, p.V});
  } else {
    args.beta = regions[6].tensor(bytes, {p.B, p.Hs, p.T});
  }
  if (bytes.ConsumeBool()) args.initial_state = regions[7].tensor(bytes, {p.B, p.Hs, p.K, p.V});
  args.output = regions[8].tensor(bytes, {p.B, Ho, p.T, p.V});
  if (bytes.ConsumeBool()) args.final_state = regions[9].tensor(bytes, {p.B, p.Hs, p.K, p.V});
  Region *const final_region = bytes.ConsumeBool() ? &regions[7] : &regions[9];
  if (final_region == &regions[7]) args.final_state = args.initial_state;  // in place

  sluice_plan plan{};
  plan.struct_size = sizeof plan;
  const sluice_status planned = sluice_gated_delta_rule_plan(context, &args, &plan);
  check(planned >= SLUICE_OK && planned <= SLUICE_INTERNAL && planned != SLUICE_INTERNAL);
  if (planned != SLUICE_OK) {
    check(std::strlen(sluice_error_message(context)) > 0);
    return 0;
  }

  const sluice_tensor *const tensors[] = {&args.query,  &args.key,        &args.value, &args.gate,
                                          &args.erase,  &args.write,      &args.beta,  &args.initial_state,
                                          &args.output, &args.final_state};
  for (int i = 0; i < 9; i++) {
    if (!regions[i].holds(*tensors[i])) return 0;
  }
  if (!final_region->holds(args.final_state)) return 0;
  const sluice_status ran = sluice_gated_delta_rule(context, &args);
  check(ran == SLUICE_OK);
  return 0;
}
