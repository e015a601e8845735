/// Few vertices that separate a graph into two parts of like weight.
#pragma once

#include <vector>

#include "solvers/linear/weighted_graph.h"

namespace brio {

enum class Part : unsigned char { first, second, separator };

/// No edge joins first and second. The graph is made coarser until few vertices are left, those are separated in
/// several ways, and the best is refined while it is brought back, level by level. The same for the same graph.
/// [Karypis & Kumar 1998: multilevel; Fiduccia & Mattheyses 1982: refinement, here of vertices]
/// Departs: parts may hold two thirds of all, for the fill of meshes falls with smaller separators.
std::vector<Part> separate(const WeightedGraph& graph);

}  // namespace brio
