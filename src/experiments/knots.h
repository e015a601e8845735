/// What can be told of a space curve's entanglement: whether it is knotted, how it coils, how near it comes to itself.
#pragma once

#include <span>

#include "brio/math.h"

namespace brio {

/// The determinant |Δ(-1)| of the knot that the curve makes once its ends are led far away from its middle, straight,
/// and joined there: 1 for an unknotted curve, 3 for an overhand knot (trefoil), 5 for a figure eight. It does not
/// change while no part of the curve passes through another and the ends stay outside. From the coloring equations 2
/// over = under + under' of the crossings of a projection. [Livingston, Knot Theory, 1993, chapter 3]
long knot_determinant(std::span<const Vec3> curve);

/// Signed crossings of an open curve, averaged over all directions of view: 0 for plane curves, about ±1 per loop of a
/// coil. Gauss' integral, exact for polygons. [Klenin & Langowski 2000, method 1a]
double writhe(std::span<const Vec3> curve);

/// The least distance [m] between points of segments that are at least `apart` segments from each other along the
/// curve.
double min_distance(std::span<const Vec3> curve, int apart);

/// Between two segments [m].
double segment_distance(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

}  // namespace brio
