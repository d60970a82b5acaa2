#include "program/safetensors.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace sluice {
namespace {

using Json = nlohmann::json;

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "safetensors files are little-endian and are copied as they are"
#endif

constexpr std::uint64_t length_bytes = 8;             // the file opens with the header's length
constexpr std::uint64_t max_header_size = 100000000;  // the limit of the format's reference implementation
constexpr int max_depth = 3;                          // header, tensor, shape
constexpr const char *metadata_key = "__metadata__";

// Types of the format that are not read here: the project's files have none of them.
const std::set<std::string> unread_types = {"BOOL", "U8",   "I8",  "F8_E5M2", "F8_E4M3", "I16", "U16",
                                            "F16",  "BF16", "I32", "U32",     "I64",     "U64", "C64"};

struct ByteRange {
  std::uint64_t begin, end;
  std::string tensor;
};

std::string in_quotes(const std::string &name) { return "\"" + name + "\""; }

Json parse_header(const std::string &file, const char *begin, const char *end) {
  std::vector<std::set<std::string>> keys;  // of the objects being read: the JSON library keeps the last duplicate
  const auto check = [&](int depth, Json::parse_event_t event, const Json &parsed) {
    using Event = Json::parse_event_t;
    if ((event == Event::object_start || event == Event::array_start) && depth >= max_depth) {
      throw FileError(file, "the header nests deeper than a header does");
    }
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key && !keys.back().insert(parsed.get<std::string>()).second) {
      throw FileError(file, "the header has " + in_quotes(parsed.get<std::string>()) + " twice");
    }
    return true;
  };
  try {
    return Json::parse(begin, end, check);
  } catch (const Json::exception &problem) {
    throw FileError(file, std::string("the header is not valid JSON: ") + problem.what());
  }
}

std::map<std::string, std::string> parse_metadata(const std::string &file, const Json &description) {
  if (!description.is_object()) throw FileError(file, "the header's __metadata__ is not an object");
  std::map<std::string, std::string> metadata;
  for (const auto &[key, value] : description.items()) {
    if (!value.is_string()) throw FileError(file, "metadata " + in_quotes(key) + " is not a string");
    metadata[key] = value.get<std::string>();
  }
  return metadata;
}

// One entry of the header: where a tensor's bytes are and what they mean.
class TensorParser {
 public:
  TensorParser(const std::string &file, const std::string &name, const Json &description)
      : file_(file), name_(name), description_(description) {}

  ByteRange range(std::uint64_t data_size) const {
    const Json &offsets = field("data_offsets");
    if (!offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned() ||
        !offsets[1].is_number_unsigned()) {
      fail("data_offsets must be two whole numbers, is " + offsets.dump());
    }
    const auto begin = offsets[0].get<std::uint64_t>(), end = offsets[1].get<std::uint64_t>();
    if (begin > end) fail("data_offsets " + offsets.dump() + " end before they begin");
    if (end > data_size) {
      fail("data_offsets " + offsets.dump() + " reach beyond the " + std::to_string(data_size) + " bytes of data");
    }
    return {begin, end, name_};
  }

  StoredTensor tensor(const std::uint8_t *data, std::uint64_t size) const {
    const Json &type = field("dtype");
    if (type == "F32") return {shape(), values<float>(data, size)};
    if (type == "F64") return {shape(), values<double>(data, size)};
    if (type.is_string() && unread_types.count(type.get<std::string>()) > 0) {
      fail("has type " + type.get<std::string>() + "; only F32 and F64 are read");
    }
    fail("has the unknown type " + type.dump());
  }

 private:
  [[noreturn]] void fail(const std::string &problem) const {
    throw FileError(file_, "tensor " + in_quotes(name_) + ": " + problem);
  }

  const Json &field(const char *key) const {
    if (!description_.is_object()) fail("its description is not an object");
    const auto found = description_.find(key);
    if (found == description_.end()) fail(std::string(key) + " is missing");
    return *found;
  }

  std::vector<std::int64_t> shape() const {
    const Json &extents = field("shape");
    if (!extents.is_array()) fail("its shape is not a list");
    std::vector<std::int64_t> shape;
    for (const Json &extent : extents) {
      constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
      if (!extent.is_number_unsigned() || extent.get<std::uint64_t>() > largest) {
        fail("its shape " + extents.dump() + " has an extent that is not a whole number from 0 to 2^63 - 1");
      }
      shape.push_back(extent.get<std::int64_t>());
    }
    return shape;
  }

  template <typename T>
  AlignedVector<T> values(const std::uint8_t *data, std::uint64_t size) const {
    std::uint64_t needed = sizeof(T);
    for (const std::int64_t extent : shape()) {
      if (__builtin_mul_overflow(needed, static_cast<std::uint64_t>(extent), &needed)) {
        fail("the size of its shape " + field("shape").dump() + " overflows");
      }
    }
    if (needed != size) {
      fail("shape " + field("shape").dump() + " takes " + std::to_string(needed) + " bytes, data_offsets give " +
           std::to_string(size));
    }
    AlignedVector<T> values(static_cast<std::size_t>(size / sizeof(T)));
    if (size > 0) std::memcpy(values.data(), data, static_cast<std::size_t>(size));
    return values;
  }

  const std::string &file_;
  const std::string &name_;
  const Json &description_;
};

// Every byte of data belongs to one tensor.
void check_cover(const std::string &file, std::vector<ByteRange> ranges, std::uint64_t data_size) {
  std::sort(ranges.begin(), ranges.end(), [](const ByteRange &a, const ByteRange &b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::uint64_t covered = 0;
  std::string previous;
  for (const ByteRange &range : ranges) {
    if (range.begin < covered) {
      throw FileError(file, "tensors " + in_quotes(previous) + " and " + in_quotes(range.tensor) + " overlap");
    }
    if (range.begin > covered) break;
    covered = range.end;
    previous = range.tensor;
  }
  if (covered != data_size) {
    throw FileError(file, "data from byte " + std::to_string(covered) + " on belongs to no tensor");
  }
}

std::string header_text(const Safetensors &contents, const std::vector<std::string> &order) {
  Json header = Json::object();
  if (!contents.metadata.empty()) header[metadata_key] = contents.metadata;
  std::size_t offset = 0;
  for (const std::string &name : order) {
    const StoredTensor &tensor = contents.tensors.at(name);
    const bool is_double = std::holds_alternative<AlignedVector<double>>(tensor.values);
    const std::size_t size = std::visit([](const auto &v) { return v.size() * sizeof(v[0]); }, tensor.values);
    header[name] = {
        {"dtype", is_double ? "F64" : "F32"}, {"shape", tensor.shape}, {"data_offsets", {offset, offset + size}}};
    offset += size;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // keeps the data aligned
  return text;
}

}  // namespace

Safetensors parse_safetensors(const std::uint8_t *bytes, std::size_t size, const std::string &name) {
  if (size < length_bytes) {
    throw FileError(name, "truncated: " + std::to_string(size) + " bytes, too short for a safetensors header");
  }
  std::uint64_t header_size = 0;
  for (std::uint64_t i = length_bytes; i-- > 0;) header_size = header_size << 8 | bytes[i];
  if (header_size > size - length_bytes) {
    throw FileError(name, "truncated, or not a safetensors file: the header should have " +
                              std::to_string(header_size) + " bytes, the file has " +
                              std::to_string(size - length_bytes) + " after the header's length");
  }
  if (header_size > max_header_size) {
    throw FileError(name, "the header has " + std::to_string(header_size) + " bytes, more than the format allows");
  }
  const char *text = reinterpret_cast<const char *>(bytes) + length_bytes;
  const Json header = parse_header(name, text, text + header_size);
  if (!header.is_object()) throw FileError(name, "the header is not a JSON object");

  const std::uint8_t *data = bytes + length_bytes + header_size;
  const std::uint64_t data_size = size - length_bytes - header_size;
  std::vector<ByteRange> ranges;
  for (const auto &[key, description] : header.items()) {
    if (key != metadata_key) ranges.push_back(TensorParser(name, key, description).range(data_size));
  }
  // Before any tensor is copied: overlapping tensors could take more memory than the file has bytes.
  check_cover(name, ranges, data_size);

  Safetensors contents;
  if (const auto found = header.find(metadata_key); found != header.end()) {
    contents.metadata = parse_metadata(name, *found);
  }
  for (const ByteRange &range : ranges) {
    const TensorParser parser(name, range.tensor, header[range.tensor]);
    contents.tensors.emplace(range.tensor, parser.tensor(data + range.begin, range.end - range.begin));
  }
  return contents;
}

Safetensors read_safetensors(const std::string &path) {
  std::error_code problem;
  const std::filesystem::file_status status = std::filesystem::status(path, problem);
  if (!std::filesystem::exists(status)) {
    throw FileError(path, status.type() == std::filesystem::file_type::not_found ? "no such file" : problem.message());
  }
  if (!std::filesystem::is_regular_file(status)) throw FileError(path, "not a regular file");
  std::ifstream stream(path, std::ios::binary);
  std::vector<std::uint8_t> bytes;
  if (stream) {
    bytes.resize(static_cast<std::size_t>(std::filesystem::file_size(path, problem)));
    stream.read(reinterpret_cast<char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  if (!stream || problem) throw FileError(path, "cannot be read");
  return parse_safetensors(bytes.data(), bytes.size(), path);
}

void write_safetensors(const std::string &path, const Safetensors &contents) {
  std::vector<std::string> order;
  for (const auto &[name, tensor] : contents.tensors) order.push_back(name);
  // Wider types first, so that every tensor is aligned to its type.
  std::stable_partition(order.begin(), order.end(), [&](const std::string &name) {
    return std::holds_alternative<AlignedVector<double>>(contents.tensors.at(name).values);
  });
  const std::string header = header_text(contents, order);
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  for (std::size_t i = 0; i < length_bytes; ++i) stream.put(static_cast<char>(header.size() >> (8 * i) & 0xff));
  stream << header;
  for (const std::string &name : order) {
    std::visit(
        [&](const auto &v) {
          stream.write(reinterpret_cast<const char *>(v.data()), static_cast<std::streamsize>(v.size() * sizeof(v[0])));
        },
        contents.tensors.at(name).values);
  }
  stream.close();
  if (!stream) throw FileError(path, "cannot be written");
}

}  // namespace sluice
