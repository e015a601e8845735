#include "contact/distance.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace brio {
namespace {

/// Fills in r from the weights.
Nearest finished(Nearest n, const Vec3* x, int count) {
  for (int i = 0; i < count; ++i) n.r += n.w[i] * x[i];
  return n;
}

/// Parameter of the point of a segment nearest to p, unclamped; zero for a segment without length.
double along(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 ab = b - a;
  const double length2 = ab.squaredNorm();
  return length2 > 0 ? ab.dot(p - a) / length2 : 0;
}

/// A vertex against the segment between two others.
struct Arm {
  int p, a, b;
};

double squared_distance(const Vec3* x, const Arm& arm) {
  const double t = std::clamp(along(x[arm.p], x[arm.a], x[arm.b]), 0.0, 1.0);
  return (x[arm.p] - x[arm.a] - t * (x[arm.b] - x[arm.a])).squaredNorm();
}

/// The shortest of a few.
template <std::size_t N>
Arm shortest(const Vec3* x, const Arm (&arms)[N]) {
  Arm best = arms[0];
  double least = squared_distance(x, best);
  for (std::size_t k = 1; k < N; ++k) {
    const double d2 = squared_distance(x, arms[k]);
    if (!(d2 < least)) continue;
    least = d2;
    best = arms[k];
  }
  return best;
}

/// `sign` is that of the vertex's weight.
Nearest on_segment(const Vec3* x, int count, const Arm& arm, double sign) {
  const double t = along(x[arm.p], x[arm.a], x[arm.b]);
  const double clamped = std::clamp(t, 0.0, 1.0);
  Nearest n;
  n.w[arm.p] = sign;
  n.w[arm.a] = -sign * (1 - clamped);
  n.w[arm.b] = -sign * clamped;
  if (t > 0 && t < 1) {
    n.free = 1;
    n.dw[0][arm.a] = sign;
    n.dw[0][arm.b] = -sign;
  }
  return finished(n, x, count);
}

/// Where a point is nearest to the plane of a triangle: corner + b ab + c ac.
struct Foot {
  Vec3 ap, normal;
  double area2, b = 0, c = 0;

  explicit Foot(const Vec3* x) : ap(x[0] - x[1]) {
    const Vec3 ab = x[2] - x[1];
    const Vec3 ac = x[3] - x[1];
    normal = ab.cross(ac);
    area2 = normal.squaredNorm();
    if (!(area2 > 0)) return;
    b = normal.dot(ap.cross(ac)) / area2;
    c = normal.dot(ab.cross(ap)) / area2;
  }
  Nearest weights() const {
    Nearest n;
    n.w[0] = 1;
    n.w[1] = -(1 - b - c);
    n.w[2] = -b;
    n.w[3] = -c;
    n.free = 2;
    n.dw[0][1] = n.dw[1][1] = 1;
    n.dw[0][2] = n.dw[1][3] = -1;
    return n;
  }
};

}  // namespace

Nearest point_segment(const Vec3 x[3]) { return on_segment(x, 3, {0, 1, 2}, 1); }

Nearest point_plane(const Vec3 x[4]) {
  const Foot foot(x);
  Nearest n = foot.weights();
  n.r = foot.normal.dot(foot.ap) / foot.area2 * foot.normal;  // weights of what is far away would cost digits
  return n;
}

Nearest point_triangle(const Vec3 x[4]) {
  const Foot foot(x);
  if (foot.area2 > 0 && foot.b > 0 && foot.c > 0 && foot.b + foot.c < 1) return finished(foot.weights(), x, 4);
  // Outside, the nearest point lies on the rim.
  return on_segment(x, 4, shortest(x, {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}}), 1);
}

Nearest segment_segment(const Vec3 x[4]) {
  constexpr double parallel = 1e-12;  // sin² of the angle, below which rounding decides where lines are nearest
  constexpr double nearly_parallel = 1e-8;
  const Vec3 u = x[1] - x[0];
  const Vec3 v = x[3] - x[2];
  const Vec3 between = x[0] - x[2];
  const double uu = u.squaredNorm();
  const double vv = v.squaredNorm();
  const double uv = u.dot(v);
  const double det = u.cross(v).squaredNorm();
  if (det > parallel * uu * vv) {
    double s = (uv * v.dot(between) - vv * u.dot(between)) / det;
    double t = (uu * v.dot(between) - uv * u.dot(between)) / det;
    if (det < nearly_parallel * uu * vv) {  // rounding of s and t alike would add to the distance along both
      t = along(x[0] + s * u, x[2], x[3]);
      s = along(x[2] + t * v, x[0], x[1]);
    }
    if (s > 0 && s < 1 && t > 0 && t < 1) {
      Nearest n;
      n.w[0] = 1 - s;
      n.w[1] = s;
      n.w[2] = -(1 - t);
      n.w[3] = -t;
      n.free = 2;
      n.dw[0][0] = -1;
      n.dw[0][1] = 1;
      n.dw[1][2] = 1;
      n.dw[1][3] = -1;
      return finished(n, x, 4);
    }
  }
  // |r|² is convex over the square of parameters: without a minimum inside it has one on the rim.
  const Arm arm = shortest(x, {{0, 2, 3}, {1, 2, 3}, {2, 0, 1}, {3, 0, 1}});
  return on_segment(x, 4, arm, arm.p < 2 ? 1 : -1);
}

Nearest nearest(PairKind kind, const Vec3* x) {
  switch (kind) {
    case PairKind::point_triangle:
      return point_triangle(x);
    case PairKind::segment_segment:
      return segment_segment(x);
    case PairKind::point_segment:
      return point_segment(x);
    case PairKind::point_plane:
      return point_plane(x);
  }
  return {};
}

}  // namespace brio
