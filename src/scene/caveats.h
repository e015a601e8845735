/// Combinations that are allowed but cost something: what, and what to choose instead.
#pragma once

#include <string>
#include <vector>

#include "brio/sim.h"

namespace brio {

std::vector<std::string> caveats(const Model& model, const State& state, const SimulationOptions& options);

}  // namespace brio
