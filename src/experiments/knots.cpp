#include "experiments/knots.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace brio {
namespace {

/// The closed polygon, seen from a direction along which nothing is likely to be aligned.
std::vector<Vec3> closed_view(std::span<const Vec3> curve) {
  std::vector<Vec3> points(curve.begin(), curve.end());
  Vec3 middle = Vec3::Zero();
  for (const Vec3& p : points) middle += p / static_cast<double>(points.size());
  double radius = 0;
  for (const Vec3& p : points) radius = std::max(radius, (p - middle).norm());
  const auto far = [&](const Vec3& end) -> Vec3 { return middle + 10 * radius * (end - middle).normalized(); };
  const Vec3 first = far(points.front()), last = far(points.back());
  // A detour through a third far point, at right angles to both ways, keeps clear of the middle.
  Vec3 across = (first - middle).cross(last - middle);
  if (across.norm() < 1e-6 * (first - middle).squaredNorm()) across = (first - middle).unitOrthogonal();
  points.push_back(last);
  points.push_back(middle + 20 * radius * across.normalized());
  points.push_back(first);
  const Eigen::Matrix3d view =
      (Eigen::AngleAxisd(0.3761, Vec3::UnitX()) * Eigen::AngleAxisd(0.2893, Vec3::UnitY())).toRotationMatrix();
  for (Vec3& p : points) p = view * p;
  return points;
}

/// Places along the curve, counted in segments.
struct Crossing {
  double under, over;
};

std::vector<Crossing> crossings(const std::vector<Vec3>& points) {
  const std::size_t count = points.size();
  const auto wedge = [](const Vec3& a, const Vec3& b) { return a[0] * b[1] - a[1] * b[0]; };
  std::vector<Crossing> found;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i + 2; j < count; ++j) {
      if (i == 0 && j + 1 == count) continue;
      const Vec3 a = points[i + 1] - points[i];
      const Vec3 b = points[(j + 1) % count] - points[j];
      const Vec3 between = points[j] - points[i];
      const double area = wedge(a, b);
      if (area == 0) continue;
      const double s = wedge(between, b) / area;
      const double t = wedge(between, a) / area;
      if (s < 0 || s >= 1 || t < 0 || t >= 1) continue;
      const double height = points[i][2] + s * a[2] - points[j][2] - t * b[2];
      const double first = static_cast<double>(i) + s, second = static_cast<double>(j) + t;
      found.push_back(height > 0 ? Crossing{second, first} : Crossing{first, second});
    }
  std::ranges::sort(found, {}, &Crossing::under);
  return found;
}

}  // namespace

long knot_determinant(std::span<const Vec3> curve) {
  const std::vector<Crossing> list = crossings(closed_view(curve));
  const auto count = static_cast<Eigen::Index>(list.size());
  if (count < 3) return 1;
  // Arc k runs from the undercrossing k - 1 to the undercrossing k.
  const auto arc = [&](double place) {
    const auto next = std::ranges::lower_bound(list, place, {}, &Crossing::under);
    return static_cast<Eigen::Index>(next - list.begin()) % count;
  };
  Eigen::MatrixXd coloring = Eigen::MatrixXd::Zero(count, count);
  for (Eigen::Index k = 0; k < count; ++k) {
    coloring(k, arc(list[static_cast<std::size_t>(k)].over)) += 2;
    coloring(k, k) -= 1;
    coloring(k, (k + 1) % count) -= 1;
  }
  return std::lround(std::abs(coloring.topLeftCorner(count - 1, count - 1).determinant()));
}

double writhe(std::span<const Vec3> curve) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < curve.size(); ++i)
    for (std::size_t j = i + 2; j + 1 < curve.size(); ++j) {
      // The solid angle of directions from which the segments are seen to cross.
      const Vec3 r13 = curve[j] - curve[i], r14 = curve[j + 1] - curve[i];
      const Vec3 r23 = curve[j] - curve[i + 1], r24 = curve[j + 1] - curve[i + 1];
      const Vec3 sides[4]{r13.cross(r14), r14.cross(r24), r24.cross(r23), r23.cross(r13)};
      if (std::ranges::any_of(sides, [](const Vec3& n) { return n.norm() < 1e-300; })) continue;
      double angle = 0;
      for (int k = 0; k < 4; ++k)
        angle += std::asin(std::clamp(sides[k].normalized().dot(sides[(k + 1) % 4].normalized()), -1.0, 1.0));
      const Vec3 r12 = curve[i + 1] - curve[i], r34 = curve[j + 1] - curve[j];
      const double side = r34.cross(r12).dot(r13);
      sum += side > 0 ? angle : side < 0 ? -angle : 0;
    }
  return sum / (2 * std::numbers::pi);
}

double segment_distance(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = d - c, w = a - c;
  const double uu = u.squaredNorm(), uv = u.dot(v), vv = v.squaredNorm(), uw = u.dot(w), vw = v.dot(w);
  const double area = uu * vv - uv * uv;
  double s = area > 1e-12 * uu * vv ? std::clamp((uv * vw - vv * uw) / area, 0.0, 1.0) : 0.0;
  double t = vv > 0 ? (uv * s + vw) / vv : 0.0;
  if (t < 0 || t > 1) {
    t = std::clamp(t, 0.0, 1.0);
    s = uu > 0 ? std::clamp((uv * t - uw) / uu, 0.0, 1.0) : 0.0;
  }
  return (w + s * u - t * v).norm();
}

double min_distance(std::span<const Vec3> curve, int apart) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i + 1 < curve.size(); ++i)
    for (std::size_t j = i + static_cast<std::size_t>(apart); j + 1 < curve.size(); ++j)
      least = std::min(least, segment_distance(curve[i], curve[i + 1], curve[j], curve[j + 1]));
  return least;
}

}  // namespace brio
