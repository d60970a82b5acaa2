// libFuzzer over the capture reader: any bytes give a capture or a FileError.
#include <cstddef>
#include <cstdint>

#include "program/capture.h"
#include "program/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  try {
    sluice::make_capture(sluice::parse_safetensors(data, size, "fuzz"), "fuzz");
  } catch (const sluice::FileError &) {
  }
  return 0;
}
