// What a report says about the machine it was made on.
#pragma once

#include <nlohmann/json.hpp>

namespace sluice::bench {

// The CPU's name, what it runs, its caches, and the arithmetic peak of each ISA.
nlohmann::ordered_json machine_json();

}  // namespace sluice::bench
