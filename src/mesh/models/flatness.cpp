#include "mesh/models/flatness.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "math/symmetric_eigen.h"

namespace brio {
namespace {

/// TetGen takes points for coplanar that are 1e-8 of the longest edge apart; what is as thin has no inside for it.
constexpr double thinnest = 1e-7;

/// Extents along the principal axes [m], the smallest first.
Vec3 extents(const std::vector<Vec3>& points, const Vec3& low, double size) {
  Vec3 mean = Vec3::Zero();
  for (const Vec3& p : points) mean += (p - low) / size / static_cast<double>(points.size());
  Mat3 spread = Mat3::Zero();
  for (const Vec3& p : points) {
    const Vec3 r = (p - low) / size - mean;
    spread += r * r.transpose();
  }
  const SymmetricEigen<3> eigen(spread);
  Mat3 axes;
  for (int k = 0; k < 3; ++k) axes.col(k) = eigen.vector(k);
  Vec3 least = Vec3::Constant(std::numeric_limits<double>::infinity()), most = -least;
  for (const Vec3& p : points) {
    const Vec3 along = axes.transpose() * ((p - low) / size - mean);
    least = least.cwiseMin(along);
    most = most.cwiseMax(along);
  }
  Vec3 widths = size * (most - least);
  std::sort(widths.begin(), widths.end());
  return widths;
}

/// The volume over half the area, which is a mean thickness [m].
double thickness(const Mesh& surface, const Vec3& low, double size) {
  const auto at = [&](int v) -> Vec3 { return (surface.vertices[v] - low) / size; };
  double volume = 0, area = 0;
  for (const auto& [a, b, c] : surface.triangles) {
    const Vec3 normal = (at(b) - at(a)).cross(at(c) - at(a));
    area += normal.norm() / 2;
    volume += normal.dot(at(a)) / 6;
  }
  return area > 0 ? size * 2 * std::abs(volume) / area : 0;
}

}  // namespace

std::string flatness(const Mesh& surface, const MeshReport& report) {
  const double size = (report.high - report.low).maxCoeff();
  if (!(size > 0)) return "all points of the surface are one";
  const Vec3 widths = extents(surface.vertices, report.low, size);
  if (widths[0] <= thinnest * widths[2])
    return fmt::format("the surface is flat: {:.3g} m thick, {:.3g} m across", widths[0], widths[2]);
  if (!report.oriented || !report.closed) return {};  // triangles that run either way round tell no volume
  const double between = thickness(surface, report.low, size);
  if (between <= thinnest * size)
    return fmt::format("the surface encloses nothing: {:.3g} m between its sides, {:.3g} m across", between, size);
  return {};
}

std::string thinnest_triangle(const Mesh& surface) {
  const auto& x = surface.vertices;
  double least = std::numeric_limits<double>::infinity(), its_height = 0, its_edge = 0;
  std::size_t which = 0;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const auto& [a, b, c] = surface.triangles[t];
    const double edge = std::max({(x[b] - x[a]).norm(), (x[c] - x[b]).norm(), (x[a] - x[c]).norm()});
    const double height = edge > 0 ? (x[b] - x[a]).cross(x[c] - x[a]).norm() / edge : 0;
    const double ratio = edge > 0 ? height / edge : 0;
    if (ratio >= least) continue;
    least = ratio;
    which = t;
    its_height = height;
    its_edge = edge;
  }
  return fmt::format("its thinnest triangle, {}, is {:.3g} m high over an edge of {:.3g} m", which, its_height,
                     its_edge);
}

}  // namespace brio
