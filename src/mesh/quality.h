/// How well a tet is shaped.
#pragma once

#include <Eigen/Geometry>

#include "brio/core.h"

namespace brio {

/// Radius ratio 3 r / R of the tet with edges a, b, c from one corner: r = 3 V / sum of face areas, R = |a^2 b x c +
/// b^2 c x a + c^2 a x b| / (12 V). 1 for the regular tet, 0 for flat and inverted ones.
inline double tet_quality(const Vec3& a, const Vec3& b, const Vec3& c, double volume) {
  if (volume <= 0) return 0;
  const Vec3 ab = a.cross(b);
  const Vec3 bc = b.cross(c);
  const Vec3 ca = c.cross(a);
  const double faces = (ab.norm() + bc.norm() + ca.norm() + (ab + bc + ca).norm()) / 2;
  const Vec3 center = a.squaredNorm() * bc + b.squaredNorm() * ca + c.squaredNorm() * ab;
  return 108 * volume * volume / (faces * center.norm());
}

}  // namespace brio
