// A shared library of all kernels, those of the study set included, for callers that load it by name.
#include "runtime/study.h"
#include "sluice/sluice.h"

// Makes the study kernels known; before the first context.
extern "C" SLUICE_API void sluice_ctypes_register_study_kernels() { sluice::register_study_kernels(); }
