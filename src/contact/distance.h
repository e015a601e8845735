/// Nearest points of two simplices: a point and a triangle, a point and a segment, two segments; and of a point and a
/// plane, which is told by three of its points.
///
/// The vector between them is r = Σ w_i x_i over the vertices of both, Σ w_i = 0, the vertices of the second with
/// negative weights. Where the nearest points lie inside a face or an edge, the weights depend on `free` parameters p,
/// by which r is stationary: |r| then has the derivatives (envelope theorem, and elimination of p from ½|r|²)
///   ∂(½|r|²)/∂x_i = w_i r
///   ∂²(½|r|²)/∂x_i∂x_j = w_i w_j I − F_i (AᵀA)⁻¹ F_jᵀ,   A = ∂r/∂p,   F_i = w_i A + r (∂w_i/∂p)
#pragma once

#include "brio/math.h"

namespace brio {

struct Nearest {
  double w[4] = {0, 0, 0, 0};
  int free = 0;           ///< parameters: 0, 1 or 2
  double dw[2][4] = {};   ///< ∂w_i/∂p of each
  Vec3 r = Vec3::Zero();  ///< from the second's nearest point to the first's [m]

  double distance() const { return r.norm(); }  ///< [m]
};

/// x: the point and the corners of the triangle. [regions as in Ericson 2005, section 5.1.5]
Nearest point_triangle(const Vec3 x[4]);
/// x: the point and three points of the plane, which is endless.
Nearest point_plane(const Vec3 x[4]);
/// x: the point and the ends of the segment.
Nearest point_segment(const Vec3 x[3]);
/// x: the ends of the one and of the other. Of parallel segments one of the nearest pairs.
Nearest segment_segment(const Vec3 x[4]);

/// Which simplices a pair is of.
enum class PairKind { point_triangle, segment_segment, point_segment, point_plane };
inline int vertices_of(PairKind kind) { return kind == PairKind::point_segment ? 3 : 4; }
/// Vertices of the first of the two.
inline int vertices_of_first(PairKind kind) { return kind == PairKind::segment_segment ? 2 : 1; }

Nearest nearest(PairKind kind, const Vec3* x);

}  // namespace brio
