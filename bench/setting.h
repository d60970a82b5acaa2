// What one side of a comparison is, as text: `<what>[,<key>=<value>]...`, e.g. `sluice,rule=gdn,T=512,gate=tiny`.
#pragma once

#include <string>

#include "bench/workload.h"

namespace sluice::bench {

struct Setting {
  std::string what = "sluice";  // sluice | the name of a kernel | baseline/<name> | stream | fma | roof
  WorkloadOptions workload;
  int workers = 1;
  std::string isa, schedule;  // of `sluice`
};

// Later text wins over earlier; keys that the text does not have keep their values. A kernel's name brings its rule and
// its head dim. Throws std::invalid_argument.
//   rule=gdn|kda|gdn2  T=  B=  heads=  key_heads=  K=  V=  D= (both)
//   gate=ordinary|one|zero|tiny|small|wide|zero_or_one  state=in_place|apart  layout=bthd|bhtd
//   align=16 (bytes)  call=1 (tokens a call)  workers=  isa=  schedule=
void apply(const std::string &text, Setting &setting);

// One line that names all of it.
std::string describe(const Setting &setting);

}  // namespace sluice::bench
