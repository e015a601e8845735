/// Impulses that keep solids from parting faster than they may, each moved as a whole.
///
/// Of touches k with normals n_k, levers J_k and impulses λ_k: speeds of parting p = p₀ − J M⁻¹ Jᵀ λ,
///   0 ≤ λ_k ≤ max_impulse_k,  p_k ≤ bound_k,  λ_k > 0 only where p_k = bound_k,
/// by sweeps over the touches (projected Gauss–Seidel), which minimize ½λᵀJM⁻¹Jᵀλ − λᵀ(p₀ − bound) coordinate by
/// coordinate from λ = 0: bounds are not negative, so wherever the sweeps end, no energy has come from it.
/// Impulses of a pair are opposite and along the line between its nearest points: both momenta stay.
#pragma once

#include <span>

#include "brio/interaction.h"
#include "contact/rigid_motion.h"

namespace brio {

struct RigidTouch {
  int piece[2] = {-1, -1};  ///< of FreeSolids; -1: it does not give way
  Vec3 point[2] = {Vec3::Zero(), Vec3::Zero()};
  Vec3 normal = Vec3::Zero();  ///< from the second to the first
  double carried = 0;          ///< of the speed of parting, what does not give way moves by [m/s]
  double bound = 0;            ///< [m/s]
  double max_impulse = 0;      ///< [N s]
  double impulse = 0;          ///< found [N s]

  double speed(std::span<const RigidMotion> motions) const;  ///< of parting [m/s]
};

/// Changes the motions; returns whether anything was bounded.
bool bound_motions(std::span<RigidTouch> touches, std::span<RigidMotion> motions);

}  // namespace brio
