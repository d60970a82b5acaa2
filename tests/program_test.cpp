// The `sluice` program on good and bad files and options: what it prints, and its exit status.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "program/capture.h"
#include "program/error.h"
#include "program/safetensors.h"
#include "tests/process.h"
#include "tests/run.h"

namespace sluice::test {
namespace {

using nlohmann::json;

constexpr const char *layer_captures[] = {"a01_gdn_qwen3next_prefill_t333", "a02_gdn_qwen3next_decode5",
                                          "a03_kda_fla_prefill_t333", "a04_kda_fla_decode5",
                                          "a05_gdn2_fla_prefill_t130"};

std::vector<std::string> layer_files() {
  std::vector<std::string> files;
  for (const char *name : layer_captures) files.push_back(data_file(name));
  return files;
}

std::vector<json> lines(const std::string &text) {
  std::vector<json> parsed;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) parsed.push_back(json::parse(line));
  return parsed;
}

std::vector<std::string> operator+(std::vector<std::string> left, const std::vector<std::string> &right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

std::string bytes_of(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

TEST(Run, PrintsATableOfTheLayerCaptures) {
  const Outcome outcome = run_program(std::vector<std::string>{"run"} + layer_files());
  EXPECT_EQ(outcome.status, 0) << outcome.messages;
  for (const char *name : layer_captures) EXPECT_NE(outcome.out.find(name), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.messages, "");
}

TEST(Run, PrintsOneJsonObjectPerFile) {
  for (const std::vector<std::string> &options : {std::vector<std::string>{},
                                                  {"--layout", "bhtd"},
                                                  {"--layout", "bthd", "--inplace"},
                                                  {"--repeat", "3", "--inplace"},
                                                  {"--threads", "3", "--isa", isas().front()},
                                                  {"--schedule", "reference"},
                                                  {"--schedule", "four_pass"}}) {
    const Outcome outcome = run_program(std::vector<std::string>{"run", "--json"} + options + layer_files());
    ASSERT_EQ(outcome.status, 0) << outcome.messages;
    const std::vector<json> objects = lines(outcome.out);
    ASSERT_EQ(objects.size(), std::size(layer_captures));
    for (std::size_t i = 0; i < objects.size(); ++i) {
      const json &object = objects[i];
      const Capture capture = read_capture(data_file(layer_captures[i]));
      EXPECT_NE(object.at("file").get<std::string>().find(layer_captures[i]), std::string::npos);
      EXPECT_EQ(object.at("rule"), rule_name(capture.rule));
      EXPECT_EQ(object.at("B"), capture.B);
      EXPECT_EQ(object.at("T"), capture.T);
      EXPECT_EQ(object.at("Hq"), capture.Hq);
      EXPECT_EQ(object.at("Hk"), capture.Hk);
      EXPECT_EQ(object.at("Hv"), capture.Hv);
      EXPECT_EQ(object.at("K"), capture.K);
      EXPECT_EQ(object.at("V"), capture.V);
      EXPECT_EQ(object.at("threads"), !options.empty() && options[0] == "--threads" ? 3 : 1);
      EXPECT_GT(object.at("seconds").get<double>(), 0);
      EXPECT_LT(object.at("seconds").get<double>(), 60);
      EXPECT_LE(object.at("err_output").get<double>(), default_tolerance);
      EXPECT_LE(object.at("err_state").get<double>(), default_tolerance);
      EXPECT_GT(object.at("err_output").get<double>(), 0);
      EXPECT_NE(object.at("op").get<std::string>(), "");
      const std::string kernel = object.at("kernel");
      if (!options.empty() && options[0] == "--schedule") {
        const bool step = options[1] == "four_pass";
        if (step ? capture.phase == Phase::decode : capture.phase == Phase::prefill) {
          EXPECT_NE(kernel.find(options[1]), std::string::npos) << kernel;
        } else {
          EXPECT_NE(kernel, "");
        }
      }
    }
  }
}

TEST(Run, OutputHoldsTheResults) {
  const TemporaryFolder folder;
  for (const char *name : {"a01_gdn_qwen3next_prefill_t333", "a04_kda_fla_decode5"}) {
    const std::string file = folder.file("results.safetensors");
    const Outcome outcome = run_program({"run", "--output", file, data_file(name)});
    ASSERT_EQ(outcome.status, 0) << outcome.messages;
    const Capture capture = read_capture(data_file(name));
    const Safetensors results = read_safetensors(file);
    const auto &output = std::get<AlignedVector<float>>(results.tensors.at("output").values);
    const auto &state = std::get<AlignedVector<float>>(results.tensors.at("final_state").values);
    ASSERT_EQ(output.size(), capture.expected_output.size());
    ASSERT_EQ(state.size(), capture.expected_final_state.size());
    for (std::size_t i = 0; i < output.size(); ++i) {
      ASSERT_NEAR(static_cast<double>(output[i]), capture.expected_output[i], 1e-5);
    }
    for (std::size_t i = 0; i < state.size(); ++i) {
      ASSERT_NEAR(static_cast<double>(state[i]), capture.expected_final_state[i], 1e-5);
    }
  }
}

TEST(Run, ErrorAboveTheToleranceIsStatus1) {
  const std::vector<std::string> file = {data_file("a01_gdn_qwen3next_prefill_t333")};
  EXPECT_EQ(run_program(std::vector<std::string>{"run", "--tolerance", "1e-12"} + file).status, 1);
  EXPECT_EQ(run_program(std::vector<std::string>{"run", "--tolerance", "1e-12", "--json"} + file).status, 1);
}

TEST(Run, WrongExpectedResultsAreStatus1) {
  const TemporaryFolder folder;
  for (const char *tensor : {"expected_output", "expected_final_state"}) {
    Safetensors contents = read_safetensors(data_file("a22_gdn_t12_tinykeys_l2"));
    auto &values = std::get<AlignedVector<double>>(contents.tensors.at(tensor).values);
    values.back() += 0.01;
    write_safetensors(folder.file("wrong.safetensors"), contents);
    EXPECT_EQ(run_program({"run", folder.file("wrong.safetensors")}).status, 1) << tensor;
  }
}

TEST(Run, NaNInAResultIsStatus1) {
  const TemporaryFolder folder;
  Safetensors contents = read_safetensors(data_file("a22_gdn_t12_tinykeys_l2"));
  std::get<AlignedVector<float>>(contents.tensors.at("value").values).back() = std::nanf("");
  write_safetensors(folder.file("nan.safetensors"), contents);
  EXPECT_EQ(run_program({"run", folder.file("nan.safetensors")}).status, 1);
}

struct BadFile {
  const char *name;
  std::function<std::string(std::string)> change;  // of a good file's bytes
  const char *word;                                // in the message
};

class BadFiles : public ::testing::TestWithParam<BadFile> {};

std::string with_header(const std::string &bytes, const std::function<void(json &)> &change) {
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  json header = json::parse(bytes.substr(8, length));
  change(header);
  const std::string text = header.dump();
  const std::uint64_t new_length = text.size();
  std::string result(sizeof new_length, '\0');
  std::memcpy(result.data(), &new_length, sizeof new_length);
  return result + text + bytes.substr(8 + length);
}

TEST_P(BadFiles, AreStatus2WithAMessageThatNamesThem) {
  const TemporaryFolder folder;
  const std::string path = folder.file("bad.safetensors");
  write_bytes(path, GetParam().change(bytes_of(data_file("a22_gdn_t12_tinykeys_l2"))));
  for (const std::vector<std::string> &options : {std::vector<std::string>{"run"}, {"run", "--json"}}) {
    const Outcome outcome = run_program(options + std::vector<std::string>{path});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.messages.find("bad.safetensors"), std::string::npos) << outcome.messages;
    EXPECT_NE(outcome.messages.find(GetParam().word), std::string::npos) << outcome.messages;
  }
}

BadFile header_change(const char *name, std::function<void(json &)> change, const char *word) {
  return {name, [change](const std::string &bytes) { return with_header(bytes, change); }, word};
}

INSTANTIATE_TEST_SUITE_P(
    Table, BadFiles,
    ::testing::Values(
        BadFile{"Empty", [](const std::string &) { return std::string(); }, "truncated"},
        BadFile{"FourBytes", [](const std::string &bytes) { return bytes.substr(0, 4); }, "truncated"},
        BadFile{"HalfAHeader", [](const std::string &bytes) { return bytes.substr(0, 100); }, "truncated"},
        BadFile{"HalfTheData", [](const std::string &bytes) { return bytes.substr(0, bytes.size() / 2); }, "beyond"},
        BadFile{"OneByteLess", [](const std::string &bytes) { return bytes.substr(0, bytes.size() - 1); }, "beyond"},
        BadFile{"OneByteMore", [](const std::string &bytes) { return bytes + "x"; }, "belongs to no tensor"},
        BadFile{"HugeHeader", [](std::string bytes) { return bytes.replace(0, 8, 8, '\x7f'); }, "header"},
        BadFile{"NotJson", [](std::string bytes) { return bytes.replace(8, 1, "["); }, "JSON"},
        header_change(
            "NoQuery", [](json &h) { h["kwery"] = h["query"], h.erase("query"); }, "query"),
        header_change(
            "WrongShape", [](json &h) { h["query"]["shape"][0] = 2; }, "query"),
        header_change(
            "NegativeExtent", [](json &h) { h["query"]["shape"][0] = -1; }, "query"),
        header_change(
            "UnknownType", [](json &h) { h["query"]["dtype"] = "F7"; }, "query"),
        header_change(
            "HalfPrecision", [](json &h) { h["query"]["dtype"] = "F16"; }, "F16"),
        header_change(
            "OffsetsBackwards", [](json &h) { std::swap(h["key"]["data_offsets"][0], h["key"]["data_offsets"][1]); },
            "key"),
        header_change(
            "OverlappingTensors", [](json &h) { h["copy"] = h["query"]; }, "overlap"),
        header_change(
            "NoMetadata", [](json &h) { h.erase("__metadata__"); }, "metadata"),
        header_change(
            "UnknownRule", [](json &h) { h["__metadata__"]["rule"] = "gdn9"; }, "rule"),
        header_change(
            "RuleOfOtherTensors", [](json &h) { h["__metadata__"]["rule"] = "kda"; }, "gate"),
        header_change(
            "InconsistentHeads", [](json &h) { h["__metadata__"]["Hk"] = "2"; }, "shape"),
        header_change(
            "InconsistentLength", [](json &h) { h["__metadata__"]["T"] = "13"; }, "shape"),
        header_change(
            "ScaleNotANumber", [](json &h) { h["__metadata__"]["scale"] = "large"; }, "scale")),
    [](const auto &info) { return info.param.name; });

TEST(Run, MissingFileIsStatus2AndTheOthersStillRun) {
  const Outcome outcome =
      run_program({"run", "--json", "no_such_file.safetensors", data_file("a22_gdn_t12_tinykeys_l2")});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.messages.find("no_such_file.safetensors"), std::string::npos) << outcome.messages;
  EXPECT_EQ(lines(outcome.out).size(), 1U) << outcome.out;
}

TEST(Program, OutputThatCannotBeWrittenIsStatus2) {
  std::string command;
  for (const char *word : {SLUICE_PROGRAM}) command += std::string(word) + " ";
  const int status = std::system((command + "list >/dev/full 2>/dev/null").c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);
}

TEST(Run, UnusableOptionsAreStatus2) {
  const std::string file = data_file("a22_gdn_t12_tinykeys_l2");
  const char *const other_rule = rows_of(SLUICE_KDA, 0).front().name;  // the file's is gdn
  const struct {
    std::vector<std::string> options;
    const char *word;
  } table[] = {
      {{"--schedule", "perfect"}, "register_tiled"},  // lists the known ones
      {{"--isa", "sse9"}, "avx2"},
      {{"--kernel", "perfect"}, "perfect"},
      {{"--kernel", other_rule}, other_rule},
      {{"--layout", "hbtd"}, "layout"},
      {{"--threads", "0"}, "threads"},
      {{"--repeat", "0"}, "repeat"},
      {{"--tolerance", "-1"}, "tolerance"},
      {{"--frobnicate"}, "frobnicate"},
  };
  for (const auto &row : table) {
    const Outcome outcome = run_program(std::vector<std::string>{"run", file} + row.options);
    EXPECT_EQ(outcome.status, 2) << row.options[0];
    EXPECT_NE(outcome.messages.find(row.word), std::string::npos) << row.options[0] << ": " << outcome.messages;
  }
  EXPECT_EQ(run_program({"run"}).status, 2);
  EXPECT_EQ(run_program({}).status, 2);
}

TEST(Run, OutputNeverReplacesAnInput) {
  const TemporaryFolder folder;
  const std::string copy = folder.file("capture.safetensors");
  const std::string bytes = bytes_of(data_file("a22_gdn_t12_tinykeys_l2"));
  write_bytes(copy, bytes);
  EXPECT_EQ(run_program({"run", "--output", copy, copy}).status, 2);
  EXPECT_EQ(bytes_of(copy), bytes);
}

TEST(List, HasEveryKernelOfTheTable) {
  const Outcome outcome = run_program({"list", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.messages;
  const std::vector<json> rows = lines(outcome.out);
  ASSERT_EQ(rows.size(), sluice_kernel_count());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    sluice_kernel_info info{};
    info.struct_size = sizeof info;
    ASSERT_EQ(sluice_kernel_at(i, &info), SLUICE_OK);
    EXPECT_EQ(rows[i].at("name"), info.name);
    EXPECT_EQ(rows[i].at("op"), info.op);
    EXPECT_EQ(rows[i].at("rule"), info.rule);
    EXPECT_EQ(rows[i].at("schedule"), info.schedule);
    EXPECT_EQ(rows[i].at("isa"), info.isa);
    EXPECT_EQ(rows[i].at("set"), info.set);
    EXPECT_EQ(rows[i].at("parallel"), info.parallel);
    EXPECT_EQ(rows[i].at("chunk_length"), info.chunk_length);
    EXPECT_EQ(rows[i].at("min_chunk_rows"), info.min_chunk_rows);
    EXPECT_EQ(rows[i].at("runnable"), info.runnable != 0);
  }
  const Outcome table = run_program({"list"});
  EXPECT_EQ(table.status, 0);
  for (const json &row : rows) EXPECT_NE(table.out.find(row.at("name").get<std::string>()), std::string::npos);
}

TEST(Help, IsStatus0) {
  for (const std::vector<std::string> &words :
       {std::vector<std::string>{"--help"}, {"run", "--help"}, {"list", "--help"}}) {
    const Outcome outcome = run_program(words);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_NE(outcome.out, "");
  }
  EXPECT_NE(run_program({"--version"}).out.find(sluice_version()), std::string::npos);
}

}  // namespace
}  // namespace sluice::test
