#include "runtime/message.h"

#include <cstdio>
#include <cstring>

namespace sluice {

sluice_status Message::fail(sluice_status status, const char *format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  set(format, arguments);
  va_end(arguments);
  return status;
}

sluice_status Message::invalid(const char *format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  set(format, arguments);
  va_end(arguments);
  return SLUICE_INVALID_ARGUMENT;
}

void Message::set(const char *format, std::va_list arguments) {
  std::vsnprintf(text_, sizeof text_, format, arguments);
}

void Message::append(const char *format, ...) {
  const std::size_t length = std::strlen(text_);
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text_ + length, sizeof text_ - length, format, arguments);
  va_end(arguments);
}

Message &thread_message() {
  static thread_local Message message;
  return message;
}

}  // namespace sluice
