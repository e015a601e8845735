/// What the elements of a solid feel, for showing it.
#pragma once

#include "brio/energy.h"
#include "brio/model.h"

namespace brio {

struct ElementStress {
  double psi = 0;              ///< elastic energy per rest volume [J/m³]
  Mat3 cauchy = Mat3::Zero();  ///< force per present area, P Fᵀ / J [Pa]

  /// sqrt(3/2 s:s), s the deviator: |σ| under uniaxial stress σ [Pa].
  double von_mises() const;
};

/// From the energy density psi and the first Piola-Kirchhoff stress P at the deformation gradient F.
ElementStress element_stress(double psi, const Mat3& P, const Mat3& F);

/// What an energy of tetrahedra is beside an Energy: of a material that can be asked.
class SolidElements {
 public:
  virtual ElementStress stress(const Mat3& F) const = 0;

 protected:
  ~SolidElements() = default;
};

/// One per tetrahedron of the body's mesh at positions x of the whole model; empty for bodies without a solid material.
/// Squashed and inverted elements divide by a small positive J, so that their stress is large and finite.
std::vector<ElementStress> element_stresses(const Model& model, const Body& body, const NodalField& x);

}  // namespace brio
