/// Points that go through a shape along a straight path, from one side of it to the other.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "brio/model.h"
#include "contact/shapes.h"

namespace brio {

/// How often vertices went through the colliders of a model that is simulated, by the names of these. Nothing depends
/// on it, so that snapshots do not know of it.
std::vector<std::pair<std::string, long>> tunneled(const Model& model);

/// Whether the path enters the shape, or begins in it, and the surface that is nearest at its end faces away from that
/// at its start: a plate is passed once its middle is, a corner that is cut is not. One distance for points that are
/// farther away than they go.
template <class Shape>
bool goes_through(const Shape& shape, const Vec3& from, const Vec3& to) {
  if constexpr (requires { Shape::flat; }) return false;  // there is no other side
  const Vec3 path = to - from;
  const double length = path.norm();
  if (!(length > 0)) return false;
  if constexpr (requires { shape.min_distance(from); })
    if (shape.min_distance(from) >= length) return false;
  const Closest start = shape.closest(from);
  if (start.distance >= length || start.normal.dot(shape.closest(to).normal) >= 0) return false;
  // Nothing is nearer than the distance, so one may go on by that. What takes longer only grazes.
  constexpr int max_strides = 64;
  constexpr double rounding = 1e-9;
  double gone = std::max(start.distance, 0.0);
  for (int k = 0; k < max_strides && gone < length; ++k) {
    const double distance = shape.closest(from + gone / length * path).distance;
    if (distance <= rounding * length) return true;
    gone += distance;
  }
  return false;
}

}  // namespace brio
