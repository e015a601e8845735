#include "contact/pair_bounds.h"

#include <limits>

#include "math/small.h"

namespace brio {
namespace {

using Vector = Vector3<Doubles>;

BRIO_INLINE Vector gather(const NodalField& field, const PairVertices* const pairs[4], std::size_t i) {
  Doubles rows[4];
  for (int lane = 0; lane < 4; ++lane) rows[lane] = load(field.row(static_cast<std::size_t>((*pairs[lane])[i])));
  transpose(rows);
  return {{rows[0], rows[1], rows[2]}};
}

BRIO_INLINE std::array<double, 4> spread(Doubles lanes) { return {lanes[0], lanes[1], lanes[2], lanes[3]}; }

/// Of a point, seen from one end of a segment, and the segment.
BRIO_INLINE Doubles squared_distance(const Vector& from, const Vector& along, Doubles length2) {
  const Doubles tiny(std::numeric_limits<double>::min());
  const Doubles t = min(max(dot(along, from) / max(length2, tiny), Doubles(0.0)), Doubles(1.0));
  const Vector r = from - t * along;
  return dot(r, r);
}

constexpr double flat = 1e-8;             ///< sin² of the angle below which normals are not trusted
constexpr double uncertain = 1e-6;        ///< of parameters
constexpr double rounding = 1e-7;         ///< of all lengths in play
constexpr double place_rounding = 1e-14;  ///< of places, which `nearest` adds up

BRIO_INLINE Doubles rounded(Doubles lengths2, const Vector* x) {
  return sqrt(Doubles(rounding * rounding) * lengths2 + Doubles(place_rounding * place_rounding) * dot(x[0], x[0]));
}

/// The plane across the normal of both is as far away as their nearest points where these lie inside; it is never
/// farther. Where rounding may decide which case it is, the nearer one is taken; where segments are next to parallel or
/// triangles next to a segment, what the inside may be nearer than the rim.
BRIO_INLINE Doubles bounded(Doubles rim2, Doubles inner2, Doubles::Mask is_inner, Doubles across, Doubles uu,
                            Doubles vv, Doubles ww, const Vector* x) {
  const Doubles longest = max(max(uu, vv), Doubles(std::numeric_limits<double>::min()));
  const Doubles::Mask is_flat = across < Doubles(flat) * uu * vv;
  const Doubles inner = select(is_inner, min(inner2, rim2), rim2);
  const Doubles slack = select(is_flat, sqrt(across / longest), Doubles(0.0));
  return sqrt(select(is_flat, rim2, inner)) - slack - rounded(uu + vv + ww, x);
}

BRIO_INLINE Doubles point_triangle_bound(const Vector x[4]) {
  const Vector u = x[2] - x[1], v = x[3] - x[1], w = x[0] - x[1];
  const Vector normal = cross(u, v), side = v - u;
  const Doubles uu = dot(u, u), vv = dot(v, v), ww = dot(w, w);
  const Doubles across = dot(normal, normal);
  const Doubles b = dot(normal, cross(w, v)), c = dot(normal, cross(u, w));
  const Doubles low = Doubles(-uncertain) * across;
  const Doubles::Mask is_inner = (b >= low) & (c >= low) & (b + c <= across - low);
  const Doubles height = dot(normal, w);
  const Doubles rim = min(min(squared_distance(w, u, uu), squared_distance(w, v, vv)),
                          squared_distance(x[0] - x[2], side, dot(side, side)));
  return bounded(rim, height * height / across, is_inner, across, uu, vv, ww, x);
}

BRIO_INLINE Doubles segment_segment_bound(const Vector x[4]) {
  const Vector u = x[1] - x[0], v = x[3] - x[2], w = x[0] - x[2];
  const Vector normal = cross(u, v);
  const Doubles uu = dot(u, u), vv = dot(v, v), ww = dot(w, w), uv = dot(u, v), uw = dot(u, w), vw = dot(v, w);
  const Doubles across = dot(normal, normal);
  const Doubles s = uv * vw - vv * uw, t = uu * vw - uv * uw;
  const Doubles low = Doubles(-uncertain) * across, high = across - low;
  const Doubles::Mask is_inner = (s >= low) & (s <= high) & (t >= low) & (t <= high);
  const Doubles height = dot(normal, w);
  const Vector back = Doubles(-1.0) * w;
  const Doubles rim = min(min(squared_distance(w, v, vv), squared_distance(x[1] - x[2], v, vv)),
                          min(squared_distance(back, u, uu), squared_distance(x[3] - x[0], u, uu)));
  return bounded(rim, height * height / across, is_inner, across, uu, vv, ww, x);
}

BRIO_INLINE Doubles point_segment_bound(const Vector x[3]) {
  const Vector along = x[2] - x[1], from = x[0] - x[1];
  const Doubles length2 = dot(along, along);
  return sqrt(squared_distance(from, along, length2)) - rounded(length2 + dot(from, from), x);
}

}  // namespace

std::array<double, 4> least_distances(PairKind kind, const PairVertices* const pairs[4], const NodalField& x) {
  if (kind == PairKind::point_plane) return spread(Doubles(-std::numeric_limits<double>::infinity()));
  const Vector place[4] = {gather(x, pairs, 0), gather(x, pairs, 1), gather(x, pairs, 2), gather(x, pairs, 3)};
  switch (kind) {
    case PairKind::point_triangle:
      return spread(point_triangle_bound(place));
    case PairKind::segment_segment:
      return spread(segment_segment_bound(place));
    default:
      return spread(point_segment_bound(place));
  }
}

std::array<double, 4> most_approaches(PairKind kind, const PairVertices* const pairs[4], const NodalField& d) {
  const auto count = static_cast<std::size_t>(vertices_of(kind)),
             first = static_cast<std::size_t>(vertices_of_first(kind));
  Vector by[4];
  Vector mean{{Doubles(0.0), Doubles(0.0), Doubles(0.0)}};
  for (std::size_t i = 0; i < count; ++i) {
    by[i] = gather(d, pairs, i);
    mean = mean + by[i];
  }
  mean = Doubles(1.0 / static_cast<double>(count)) * mean;
  Doubles side[2] = {Doubles(0.0), Doubles(0.0)};
  for (std::size_t i = 0; i < count; ++i) {
    const Vector away = by[i] - mean;
    Doubles& farthest = side[i < first ? 0 : 1];
    farthest = max(farthest, dot(away, away));
  }
  constexpr double ample = 1 + 1e-9;
  return spread(Doubles(ample) * (sqrt(side[0]) + sqrt(side[1])));
}

}  // namespace brio
