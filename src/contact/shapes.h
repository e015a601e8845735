/// Rigid shapes, each in a frame of its own: how far a point is from the surface, and how that changes around it. Small
/// structs of one pure function, so that loops over vertices inline it.
#pragma once

#include <algorithm>
#include <cmath>

#include "brio/core.h"

namespace brio {

/// The signed distance φ from a point to a surface, and its first two derivatives.
///   ∇²φ = bend (I − n nᵀ − a aᵀ)
/// holds for every closest feature: faces bend by 0, edges by 1/r around their axis a, corners and spheres by 1/r (a =
/// 0), r being the distance to the edge, the corner or the center; negative where the feature is seen from inside.
struct Closest {
  double distance = 0;         ///< φ [m], negative inside
  Vec3 normal = Vec3::Zero();  ///< n = ∇φ, outward
  double bend = 0;             ///< [1/m]
  Vec3 axis = Vec3::Zero();    ///< a, of unit length along a straight feature, else zero

  Mat3 curvature() const { return bend * (Mat3::Identity() - normal * normal.transpose() - axis * axis.transpose()); }
};

namespace shapes {

/// `from`: the way to the point from the nearest point of a rounded feature's core.
inline Closest round(const Vec3& from, double radius, const Vec3& axis) {
  constexpr double at_core = 1e-30;  // [m]; nearer, every direction is as good
  const double length = from.norm();
  if (length < at_core) return {.distance = -radius, .normal = axis.x() == 0 ? Vec3(1, 0, 0) : Vec3(0, 1, 0)};
  return {.distance = length - radius, .normal = from / length, .bend = 1 / length, .axis = axis};
}

/// Everything below y = 0.
struct Plane {
  static constexpr bool flat = true;  ///< the normal is the same everywhere
  Closest closest(const Vec3& p) const { return {.distance = p.y(), .normal = Vec3::UnitY()}; }
};

/// Around the origin.
struct Sphere {
  double radius;  ///< [m]
  Closest closest(const Vec3& p) const { return round(p, radius, Vec3::Zero()); }
};

/// All points within `radius` of a segment along y.
struct Capsule {
  double half_length;  ///< of the segment [m]
  double radius;       ///< [m]
  Closest closest(const Vec3& p) const {
    const double y = std::clamp(p.y(), -half_length, half_length);
    return round(p - Vec3(0, y, 0), radius, y == p.y() ? Vec3(0, 1, 0) : Vec3(0, 0, 0));
  }
};

/// Around the origin, along the axes.
struct Box {
  Vec3 half;  ///< half the edge lengths [m]
  Closest closest(const Vec3& p) const {
    const Vec3 beyond = p.cwiseAbs() - half;
    const auto outside = (beyond.array() > 0).count();
    if (outside <= 1) {
      Eigen::Index face = 0;
      const double distance = beyond.maxCoeff(&face);
      return {.distance = distance, .normal = std::copysign(1.0, p[face]) * Vec3::Unit(face)};
    }
    const Vec3 axis = outside == 3 ? Vec3(0, 0, 0) : Vec3((beyond.array() <= 0).cast<double>());
    const Vec3 from = beyond.cwiseMax(0).array() * p.array().sign();
    return round(from, 0, axis);
  }
};

}  // namespace shapes
}  // namespace brio
