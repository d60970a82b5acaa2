// The study set: every schedule that does not ship, for tests, benchmarks and the program.
#pragma once

namespace sluice {

// Adds the study kernels to the kernel table; a second call does nothing. Call it before the first context is made.
void register_study_kernels();

}  // namespace sluice
