#include "contact/continuous.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace brio {
namespace {

double triple(const Vec3& a, const Vec3& b, const Vec3& c) { return a.dot(b.cross(c)); }

/// Six times the signed volume.
double volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) { return triple(b - a, c - a, d - a); }

/// c0 + c1 t + c2 t² + c3 t³
struct Cubic {
  std::array<double, 4> c;
  double operator()(double t) const { return c[0] + t * (c[1] + t * (c[2] + t * c[3])); }
};

/// Six times the volume that the vertices span, over time.
Cubic volume_over_time(const Vec3* before, const Vec3* after) {
  std::array<Vec3, 3> a, b;
  for (int k = 0; k < 3; ++k) {
    a[k] = before[k + 1] - before[0];
    b[k] = after[k + 1] - after[0] - a[k];
  }
  return {{triple(a[0], a[1], a[2]), triple(b[0], a[1], a[2]) + triple(a[0], b[1], a[2]) + triple(a[0], a[1], b[2]),
           triple(a[0], b[1], b[2]) + triple(b[0], a[1], b[2]) + triple(b[0], b[1], a[2]), triple(b[0], b[1], b[2])}};
}

/// The same of a point above three points of a plane.
Cubic height_over_time(const Vec3* before, const Vec3* after) {
  const Vec3 from[4] = {before[1], before[2], before[3], before[0]}, to[4] = {after[1], after[2], after[3], after[0]};
  return volume_over_time(from, to);
}

/// Where the cubic's slope vanishes within (0, 1), ascending, between 0 and 1 themselves.
std::array<double, 4> monotone_parts(const Cubic& f, int& parts) {
  std::array<double, 4> ends{0, 1, 1, 1};
  parts = 1;
  const double a = 3 * f.c[3], b = f.c[2], c = f.c[1];  // a t² + 2 b t + c
  const double discriminant = b * b - a * c;
  if (discriminant <= 0) return ends;
  const double q = -(b + std::copysign(std::sqrt(discriminant), b));
  double roots[2] = {a != 0 ? q / a : -1, q != 0 ? c / q : -1};
  if (roots[0] > roots[1]) std::swap(roots[0], roots[1]);
  for (const double root : roots)
    if (root > 0 && root < 1) ends[parts++] = root;
  ends[parts] = 1;
  return ends;
}

double bisect(const Cubic& f, double low, double high) {
  constexpr int halvings = 60;
  const bool rising = f(low) < f(high);
  for (int k = 0; k < halvings; ++k) {
    const double middle = 0.5 * (low + high);
    ((f(middle) > 0) == rising ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

/// The first moment, up to 1, at which the cubic, positive at 0, falls below `level`; 1 if none.
double stays_above(const Cubic& f, double level) {
  const Cubic over{{f.c[0] - level, f.c[1], f.c[2], f.c[3]}};
  int parts = 0;
  const std::array<double, 4> ends = monotone_parts(over, parts);
  for (int k = 0; k < parts; ++k)
    if (over(ends[k + 1]) < 0) return bisect(over, ends[k], ends[k + 1]);
  return 1;
}

/// The distance of a point above a plane is its volume with three points of it, over their area, which on a straight
/// path is never larger than the product of two sides at either end.
double safe_step_above_plane(const Vec3* x, const Vec3* d, const Layer& layer, double limit) {
  Vec3 after[4];
  for (int i = 0; i < 4; ++i) after[i] = x[i] + d[i];
  const Cubic volume = height_over_time(x, after);
  const auto longest = [&](int i) { return std::max((x[i] - x[1]).norm(), (after[i] - after[1]).norm()); };
  const double area = longest(2) * longest(3);
  const double start = volume.c[0] / area;
  if (!(start > 0)) return 0;
  return std::min(limit, stays_above(volume, area * std::min(0.1 * start, 0.5 * layer.dhat)));
}

/// By how much the plane across n parts the two simplices at x + t d; negative where it does not. Over t it is concave:
/// never less between two moments than at one of them.
double separation(PairKind kind, const Vec3* x, const Vec3* d, const Vec3& n, double t) {
  double above = std::numeric_limits<double>::infinity(), below = -above;
  for (int i = 0; i < vertices_of(kind); ++i) {
    const double height = n.dot(x[i] - x[0]) + t * n.dot(d[i]);
    if (i < vertices_of_first(kind)) {
      above = std::min(above, height);
    } else {
      below = std::max(below, height);
    }
  }
  return above - below;
}

/// Triangles that are next to a segment, and segments next to parallel, have nearest points inside that rounding
/// decides. How much nearer they may be than those on the rim [m]; 0 for all others.
double slack_of(PairKind kind, const Vec3* x) {
  constexpr double flat = 1e-12;  // sin²
  if (kind == PairKind::point_segment) return 0;
  const bool segments = kind == PairKind::segment_segment;
  const Vec3 u = segments ? x[1] - x[0] : x[2] - x[1], v = segments ? x[3] - x[2] : x[3] - x[1];
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), across = u.cross(v).squaredNorm();
  return across < flat * uu * vv ? std::sqrt(across / std::max(uu, vv)) : 0;
}

double rim_distance(const Vec3* x) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [a, b] : {std::pair{1, 2}, std::pair{2, 3}, std::pair{3, 1}}) {
    const Vec3 arm[3] = {x[0], x[a], x[b]};
    least = std::min(least, point_segment(arm).distance());
  }
  return least;
}

/// The largest part of the way, up to `limit`, on which the distance less the core stays above `kept`: goes on by what
/// the distance allows, again and again, or at once to the end where a plane keeps them apart until then. Where neither
/// helps, as with what is long within activation distance and turns, it ends early after so many strides.
double advance(PairKind kind, const Vec3* x, const Vec3* d, const Layer& layer, double start, double kept,
               double limit) {
  constexpr double stride = 0.9;     // of what the distance allows
  constexpr double parted = 1.1;     // of what is kept: strides would not end there either
  constexpr int max_near = 400;      // strides within activation distance
  constexpr int max_strides = 4000;  // all of them: beyond activation distance they are long
  const int count = vertices_of(kind);
  const int first = vertices_of_first(kind);
  Vec3 mean = Vec3::Zero();
  for (int i = 0; i < count; ++i) mean += d[i] / count;
  Vec3 moved[4], by[4];
  double speed[2] = {0, 0};  // of either simplex against the mean: the distance falls no faster than their sum
  for (int i = 0; i < count; ++i) {
    by[i] = d[i] - mean;
    speed[i < first ? 0 : 1] = std::max(speed[i < first ? 0 : 1], by[i].norm());
  }
  const double fastest = speed[0] + speed[1];
  double t = 0;
  double ahead = start - kept;
  for (int k = 0, near = 0; k < max_strides && near < max_near; ++k) {
    t += stride * ahead / fastest;
    if (!(t < limit)) return limit;  // also where nothing moves
    for (int i = 0; i < count; ++i) moved[i] = x[i] + t * by[i];
    const Nearest between = nearest(kind, moved);
    const double distance = between.distance();
    ahead = distance - layer.core - kept;
    if (const double slack = slack_of(kind, moved); slack > 1e-3 * kept)
      ahead = (kind == PairKind::point_triangle ? rim_distance(moved) : distance) - slack - layer.core - kept;
    if (stride * ahead < 1e-2 * kept) break;
    const Vec3 normal = between.r / distance;
    const auto is_parted = [&](double at) { return separation(kind, x, by, normal, at) - layer.core > parted * kept; };
    if (is_parted(limit) && is_parted(t)) return limit;
    if (ahead + kept < layer.dhat) ++near;
  }
  return t;
}

}  // namespace

double safe_step(PairKind kind, const Vec3* x, const Vec3* d, const Layer& layer, double limit) {
  if (kind == PairKind::point_plane) return safe_step_above_plane(x, d, layer, limit);
  const double start = nearest(kind, x).distance() - layer.core;
  if (!(start > 0)) return 0;
  return advance(kind, x, d, layer, start, std::min(0.1 * start, 0.5 * layer.dhat), limit);
}

bool passed_through(PairKind kind, const Vec3* before, const Vec3* after, const Layer& layer) {
  constexpr double tolerance = 1e-9;  // of the size of the simplices: rounding of the root
  if (layer.core > 0) {
    const double start = nearest(kind, before).distance() - layer.core, kept = 1e-3 * layer.dhat;
    if (!(start > kept)) return true;
    Vec3 d[4];
    for (int i = 0; i < vertices_of(kind); ++i) d[i] = after[i] - before[i];
    return advance(kind, before, d, layer, start, kept, 1) < 1;
  }
  if (kind == PairKind::point_segment) return false;
  if (kind == PairKind::point_plane) {
    const Cubic height = height_over_time(before, after);
    return !(height.c[0] > 0) || stays_above(height, 0) < 1;
  }
  const Cubic f = volume_over_time(before, after);
  int parts = 0;
  const std::array<double, 4> ends = monotone_parts(f, parts);
  for (int k = 0; k < parts; ++k) {
    if ((f(ends[k]) > 0) == (f(ends[k + 1]) > 0)) continue;
    const double t = bisect(f, ends[k], ends[k + 1]);
    Vec3 x[4];
    double size = 0;
    for (int i = 0; i < 4; ++i) {
      x[i] = before[i] + t * (after[i] - before[i]);
      size = std::max({size, (x[i] - x[0]).norm(), (after[i] - before[i]).norm()});
    }
    if (nearest(kind, x).distance() <= tolerance * size) return true;
  }
  return false;
}

bool pierces(const Vec3* x) {
  const double above = volume(x[0], x[2], x[3], x[4]);
  const double below = volume(x[1], x[2], x[3], x[4]);
  if (!((above > 0 && below < 0) || (above < 0 && below > 0))) return false;
  const double a = volume(x[0], x[1], x[2], x[3]);
  const double b = volume(x[0], x[1], x[3], x[4]);
  const double c = volume(x[0], x[1], x[4], x[2]);
  return (a > 0 && b > 0 && c > 0) || (a < 0 && b < 0 && c < 0);
}

}  // namespace brio
