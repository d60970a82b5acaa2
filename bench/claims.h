// The speeds that the project claims, as comparisons that one command repeats.
#pragma once

#include <string>
#include <vector>

#include "bench/pairs.h"
#include "runtime/kernel.h"

namespace sluice::bench {

struct Claim {
  std::string name;
  std::string a, b;       // settings (bench/setting.h)
  double must_show, aim;  // of the ratio of A's rate to B's; 0: for information
};

// Those that make sense on this CPU.
std::vector<Claim> claims();

}  // namespace sluice::bench
