/// Where the energies of a model are finite.
#pragma once

#include <algorithm>
#include <cmath>

#include "brio/energy.h"

namespace brio {

/// Whether it has energies that are infinite somewhere, as those of materials that never invert. Energies that limit
/// paths see to themselves.
inline bool has_domain(const Energy& energy) { return energy.has_domain() && !energy.limits_path(); }
inline bool has_domain(const Model& model) {
  return std::ranges::any_of(model.energies(), [](const auto& energy) { return has_domain(*energy); });
}

/// Whether all of those are finite there.
inline bool is_within_domain(const Model& model, const Configuration& at) {
  return std::ranges::all_of(
      model.energies(), [&](const auto& energy) { return !has_domain(*energy) || std::isfinite(energy->value(at)); });
}

}  // namespace brio
