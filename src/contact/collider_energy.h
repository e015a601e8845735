/// How a collider pushes, for those who ask an energy whether it is one.
#pragma once

#include "brio/contact.h"
#include "brio/energy.h"

namespace brio {

struct ContactLaw {
  double stiffness = 0;  ///< k, of the normal and of the tangential spring [N/m]
  double thickness = 0;  ///< [m]
  double friction = 0;   ///< μ
  ColliderLaw rule = ColliderLaw::potential;
  const PenaltyLaw* penalty = nullptr;  ///< null: the spring, without a call per vertex

  /// Of a gap < 0.
  GapEnergy at(double gap) const {
    if (penalty != nullptr) return penalty->energy(stiffness, gap);
    return {.value = 0.5 * stiffness * gap * gap, .slope = stiffness * gap, .curvature = stiffness};
  }
  bool has_planes() const { return rule != ColliderLaw::potential; }
};

/// The energy of a rigid collider.
class ColliderEnergy : public Energy {
 public:
  virtual const ContactLaw& law() const = 0;
  virtual bool has_plane() const = 0;  ///< for a surface
};

}  // namespace brio
