#include "schedules/machine.h"

namespace sluice::schedules {

using Halide::Target;

Machine::Machine(const Target &target)
    : lanes(target.natural_vector_size<float>()),
      registers(target.has_feature(Target::AVX512_Skylake) || target.arch == Target::ARM ? 32 : 16) {}

}  // namespace sluice::schedules
