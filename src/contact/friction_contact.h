/// Coulomb friction with true sticking, per vertex in contact.
///
/// A spring of stiffness k holds the vertex to an anchor a on the surface. Its pull is capped: with n the normal, cap =
/// μ f_n and u = |(I − n nᵀ)(x − a)|, its energy is Huber's function
///
///   W(u) = k u²/2              for k u ≤ cap   (stick)
///          cap u − cap²/(2k)   beyond          (slip: the pull is cap),
///
/// convex and C¹ in x. n and cap are held during a step, so W is one more potential that any integrator sees. After the
/// step the anchor is drawn after the vertex until k u ≤ cap; what W falls by is the heat of sliding, force times
/// distance, exactly. A vertex at rest pulls at an anchor at rest: nothing creeps.
///
/// Departs from [S1 eq. 39], which removes tangential velocity after the step: by then the vertex has moved, so what
/// should stick creeps downhill by h²g/2 per step, and no integrator knows of the force.
#pragma once

#include <algorithm>
#include <cmath>

#include "brio/core.h"

namespace brio {

/// Of one vertex, in the frame of the collider, with which it moves.
struct FrictionContact {
  Vec3 normal = Vec3::Zero();  ///< n; zero: no contact
  Vec3 anchor = Vec3::Zero();  ///< a [m]
  double cap = 0;              ///< the most that friction pulls with [N]

  bool active() const { return !normal.isZero(0); }
  /// The part of p - a along the surface.
  Vec3 offset(const Vec3& p) const {
    const Vec3 d = p - anchor;
    return d - normal.dot(d) * normal;
  }
};

namespace friction {

inline double energy(double k, double cap, double u) {
  return k * u <= cap ? 0.5 * k * u * u : cap * (u - 0.5 * cap / k);
}

/// Carries the offset over to the tangent plane of another normal by the least rotation, keeping its length.
inline Vec3 carry(const Vec3& offset, const Vec3& from, const Vec3& to) {
  const double cosine = from.dot(to);
  if (from == to) return offset;
  if (cosine < -0.999) return Vec3::Zero();  // the other side of a thin collider: it lets go
  return offset - to.dot(offset) / (1 + cosine) * (from + to);
}

/// Draws the anchor after the vertex at p until the spring pulls no more than the new cap allows and holds no more
/// energy than before, and turns it to the new normal. Returns the energy set free [J], never negative.
inline double slide(FrictionContact& contact, double k, const Vec3& p, const Vec3& normal, double cap) {
  const Vec3 offset = contact.offset(p);
  const double u = offset.norm();
  const double before = energy(k, contact.cap, u);
  const double max_offset = k * u <= contact.cap ? cap / k : std::min(cap / k, std::sqrt(2 * before / k));
  const bool stays = u <= max_offset && normal == contact.normal;
  if (!stays) contact.anchor = p - (u > max_offset ? max_offset / u : 1) * carry(offset, contact.normal, normal);
  contact.normal = normal;
  contact.cap = cap;
  return stays ? 0 : std::max(0.0, before - energy(k, cap, contact.offset(p).norm()));
}

}  // namespace friction
}  // namespace brio
