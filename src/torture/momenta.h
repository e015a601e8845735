/// Momenta of what nothing outside acts upon.
#pragma once

#include "torture/judge.h"

namespace brio::torture {

struct Momenta {
  double linear = 0;   ///< largest change beside that by gravity, over the momentum in play
  double angular = 0;  ///< change about the center of mass at the end, likewise
  std::string broken{};
};

/// Whether the scene has nothing that holds, stops, drives, blows or drags.
bool is_free(const std::string& text);

/// Of mass [m].
Vec3 center_of(const Model& model, const NodalField& x);

/// `energy_scale`: in play [J].
Momenta stray_momenta(const Evidence& run, double energy_scale);

}  // namespace brio::torture
