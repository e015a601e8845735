/// How well a tet is shaped.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>

#include "brio/mesh.h"

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

/// Tets so poor that they cost digits and steps: a radius ratio below `poor`.
struct Slivers {
  static constexpr double poor = 0.05;
  long count = 0;
  double least = 1;  ///< ratio
};
inline Slivers find_slivers(const Mesh& mesh) {
  Slivers found;
  for (const Tet& tet : mesh.tets) {
    const Vec3& origin = mesh.vertices[tet[0]];
    const Vec3 a = mesh.vertices[tet[1]] - origin;
    const Vec3 b = mesh.vertices[tet[2]] - origin;
    const Vec3 c = mesh.vertices[tet[3]] - origin;
    const double quality = tet_quality(a, b, c, a.cross(b).dot(c) / 6);
    found.least = std::min(found.least, quality);
    found.count += quality < Slivers::poor ? 1 : 0;
  }
  return found;
}

}  // namespace brio
