/// Directions of vectors of any length.
#pragma once

#include "brio/core.h"

namespace brio {

/// v / |v|, whatever the length from the smallest to the largest of numbers: its square neither vanishes nor overflows.
/// Not for zero.
inline Vec3 direction_of(const Vec3& v) {
  const Vec3 scaled = v / v.cwiseAbs().maxCoeff();
  return scaled / scaled.norm();
}

/// The shortest turn from the y axis to a vector of any length.
Mat3 turn_from_y(const Vec3& to);

}  // namespace brio
