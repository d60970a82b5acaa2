// What the last failure said: fixed memory, so that reporting an error allocates nothing.
#pragma once

#include <cstdarg>

#include "sluice/sluice.h"

namespace sluice {

class Message {
 public:
  // Stores the text (cut at the buffer's end) and returns `status`, so that a check can end with `return
  // message.fail(...)`.
  __attribute__((format(printf, 3, 4))) sluice_status fail(sluice_status status, const char *format, ...);
  // fail(SLUICE_INVALID_ARGUMENT, ...)
  __attribute__((format(printf, 2, 3))) sluice_status invalid(const char *format, ...);
  // Adds to the text.
  __attribute__((format(printf, 2, 3))) void append(const char *format, ...);

  const char *text() const { return text_; }

 private:
  void set(const char *format, std::va_list arguments);

  char text_[2048] = "";
};

// Where failures without a context are told, one per thread.
Message &thread_message();

}  // namespace sluice
