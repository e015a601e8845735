/// Materials of one's own: isotropic, as functions of three invariants of the deformation gradient F,
///
///   t = tr E,  s = E : E,  J = det F      with Green's strain E = (FᵀF - I) / 2.
///
/// Stress, tangent and PSD projection follow from psi and its derivatives in these. I_C = 3 + 2t, II_C = 3 + 4t + 4s.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "brio/model.h"

namespace brio {

struct StrainInvariants {
  double t = 0, s = 0, J = 1;
};

/// psi and its derivatives [J/m³]. Where psi is infinite (a material that cannot be inverted), they do not matter.
struct EnergyDensity {
  double psi = 0;
  double t = 0, s = 0, J = 0;
  double tt = 0, ts = 0, tJ = 0, ss = 0, sJ = 0, JJ = 0;
};

struct MaterialLaw {
  std::string name;
  std::string formula{};                          ///< for `brio list materials`
  std::string sentence{};                         ///< when to choose it
  std::string reference{};                        ///< where to read about it
  std::vector<std::string> keys{"mu", "lambda"};  ///< its parameters among those of Material
  /// Called from many threads at once. psi must vanish at rest, and so must stress.
  std::function<EnergyDensity(const Material&, const StrainInvariants&)> density;
  std::function<Lame(const Material&)> small_strain = [](const Material& m) { return Lame{m.mu, m.lambda}; };
};

/// From now on bodies, scene files and lists know it by name. Throws InputError when the name is taken. To be called
/// before other threads use brio.
void register_material(MaterialLaw law);

}  // namespace brio
