// Every capture in tests/data, by every kernel that takes it, in both layouts, in place and not.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "program/capture.h"
#include "program/capture_buffers.h"
#include "tests/run.h"

namespace sluice::test {
namespace {

std::vector<std::string> capture_files() {
  std::vector<std::string> files;
  for (const auto &entry : std::filesystem::directory_iterator(SLUICE_TEST_DATA)) {
    if (entry.path().extension() == ".safetensors") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class EveryCapture : public ::testing::TestWithParam<std::string> {
 protected:
  // All calls of the capture, compared with what the reference computed.
  static void expect_reproduced(const Capture &capture, sluice_context *context, sluice::Layout layout,
                                StatePlacement placement) {
    SCOPED_TRACE(layout == sluice::Layout::bthd ? "bthd" : "bhtd");
    SCOPED_TRACE(placement == StatePlacement::in_place ? "in place" : "out of place");
    CaptureBuffers buffers(capture, layout, placement);
    buffers.restore();
    for (std::int64_t step = 0; step < capture.S; ++step) {
      const sluice_gated_delta_rule_args args = buffers.arguments(step);
      ASSERT_EQ(sluice_gated_delta_rule(context, &args), SLUICE_OK) << sluice_error_message(context);
      buffers.keep_state(step);
    }
    EXPECT_LE(buffers.output_error(), default_tolerance);
    EXPECT_LE(buffers.state_error(), default_tolerance);
  }

  static void expect_reproduced(const Capture &capture, sluice_context *context) {
    for (const sluice::Layout layout : {sluice::Layout::bthd, sluice::Layout::bhtd}) {
      for (const StatePlacement placement : {StatePlacement::out_of_place, StatePlacement::in_place}) {
        expect_reproduced(capture, context, layout, placement);
      }
    }
  }
};

TEST_P(EveryCapture, IsReproducedByEveryKernelAlone) {
  const Capture capture = read_capture(GetParam());
  const std::vector<sluice_kernel_info> rows = rows_for(capture.rule, capture.K, capture.V);
  ASSERT_FALSE(rows.empty());
  for (const sluice_kernel_info &row : rows) {
    SCOPED_TRACE(row.name);
    expect_reproduced(capture, context_for(row).get());
  }
}

TEST_P(EveryCapture, IsReproducedByTheDispatchersChoice) {
  const Capture capture = read_capture(GetParam());
  for (const std::string &isa : isas()) {
    SCOPED_TRACE(isa);
    ContextSetup setup;
    setup.isa = isa;
    expect_reproduced(capture, make_context(setup).get());
  }
}

std::string file_name(const ::testing::TestParamInfo<std::string> &info) {
  return std::filesystem::path(info.param).stem().string();
}

INSTANTIATE_TEST_SUITE_P(Data, EveryCapture, ::testing::ValuesIn(capture_files()), file_name);

// An empty folder must not look like success.
TEST(Captures, CoverAllRulesAndBothPhases) {
  int prefill[3] = {0, 0, 0}, decode = 0;
  for (const std::string &file : capture_files()) {
    const Capture capture = read_capture(file);
    if (capture.phase == Phase::decode) ++decode;
    if (capture.phase == Phase::prefill) ++prefill[capture.rule];
  }
  EXPECT_GE(prefill[SLUICE_GDN], 1);
  EXPECT_GE(prefill[SLUICE_KDA], 1);
  EXPECT_GE(prefill[SLUICE_GDN2], 1);
  EXPECT_GE(decode, 2);
}

}  // namespace
}  // namespace sluice::test
