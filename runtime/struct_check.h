// Checks that every public struct has in common: the size it carries and its reserved fields.
#pragma once

#include <cinttypes>
#include <cstddef>
#include <iterator>

#include "runtime/message.h"

namespace sluice {

// A struct that the library fills: only its size is the caller's.
template <typename Struct>
sluice_status check_struct_size(const char *name, const Struct *given, Message &message) {
  if (given->struct_size == sizeof(Struct)) return SLUICE_OK;
  return message.invalid("%s.struct_size: %zu; expected %zu%s", name, given->struct_size, sizeof(Struct),
                         given->struct_size > sizeof(Struct) ? ", as the caller was built for a newer Sluice" : "");
}

// A struct that the caller fills: fields that mean nothing yet must be 0, so that they can mean something later.
template <typename Struct>
sluice_status check_struct(const char *name, const Struct *given, Message &message) {
  if (const sluice_status status = check_struct_size(name, given, message); status != SLUICE_OK) return status;
  for (std::size_t n = 0; n < std::size(given->reserved); n++) {
    if (given->reserved[n] != 0) {
      return message.invalid("%s.reserved[%zu]: %" PRIu64 "; expected 0", name, n, given->reserved[n]);
    }
  }
  if (given->reserved0 != 0) {
    return message.invalid("%s.reserved0: %" PRIu32 "; expected 0", name, given->reserved0);
  }
  return SLUICE_OK;
}

}  // namespace sluice
