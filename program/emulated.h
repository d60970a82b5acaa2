// Whether speeds measured here mean anything.
#pragma once

namespace sluice {

/// True if an emulator that translates instructions (QEMU) runs this process; what it prints is then marked so.
/// A system of the same architecture emulated without a trace is not recognised.
bool emulated();

inline constexpr const char *emulated_note = "emulated, speed unmeasured";

}  // namespace sluice
