/// Parts of a model that are accounted for apart, such as bodies or groups of them.
#pragma once

#include <functional>
#include <span>

#include "brio/model.h"

namespace brio {

/// The part that each vertex belongs to; without any, all belong to part 0.
struct Parts {
  std::span<const int> of_vertex{};

  int operator[](int vertex) const { return of_vertex.empty() ? 0 : of_vertex[static_cast<std::size_t>(vertex)]; }
};

/// What energies that belong to no body can tell besides. Those that do not are taken to couple all bodies.
class PartedEnergy {
 public:
  virtual ~PartedEnergy() = default;
  /// Adds the energy of each element to the sum of the part that its vertices belong to.
  virtual void add_values(const Configuration& at, const Parts& parts, std::span<double> sums) const = 0;
  /// Calls join(a, b) for vertices of different bodies that it couples there, join(a, -1) where it holds one to what is
  /// none.
  virtual void for_coupled(const Configuration& /*at*/, const std::function<void(int, int)>& /*join*/) const {}
};

}  // namespace brio
