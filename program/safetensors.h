// Reads and writes .safetensors files: a JSON header that names, types and places tensors, then their bytes.
// Format: https://github.com/huggingface/safetensors
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "program/aligned_vector.h"

namespace sluice {

/// A file that cannot be read, written or understood. The message names the file and what is wrong with it.
class FileError : public std::runtime_error {
 public:
  FileError(const std::string &file, const std::string &problem) : std::runtime_error(file + ": " + problem) {}
};

/// Values in row-major order. F32 and F64 are the types this project's files have.
struct StoredTensor {
  std::vector<std::int64_t> shape;
  std::variant<AlignedVector<float>, AlignedVector<double>> values;
};

struct Safetensors {
  std::map<std::string, std::string> metadata;
  std::map<std::string, StoredTensor> tensors;
};

/// Parses a whole file held in memory; `name` stands for it in messages. Any bytes are safe to pass: what does not
/// follow the format exactly (header, JSON, types, offsets without overlap or gap, sizes) throws FileError, and memory
/// use stays proportional to `size`.
Safetensors parse_safetensors(const std::uint8_t *bytes, std::size_t size, const std::string &name);

/// Reads a file. Throws FileError.
Safetensors read_safetensors(const std::string &path);

/// Writes a file, replacing one that exists. Throws FileError.
void write_safetensors(const std::string &path, const Safetensors &contents);

}  // namespace sluice
