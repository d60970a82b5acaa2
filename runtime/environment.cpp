#include "runtime/environment.h"

#include <cstdio>
#include <cstdlib>

namespace sluice {

namespace {

template <std::size_t size>
void copy_variable(const char *name, char (&value)[size]) {
  if (const char *text = std::getenv(name)) std::snprintf(value, size, "%s", text);
}

}  // namespace

const Environment &environment() {
  static const Environment read_once = [] {
    Environment values;
    copy_variable("SLUICE_ISA", values.isa);
    copy_variable("SLUICE_KERNEL", values.kernel);
    return values;
  }();
  return read_once;
}

}  // namespace sluice
