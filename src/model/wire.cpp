#include "model/wire.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>
#include <set>

#include "model/energies/torsion_kernel.h"

namespace brio {
namespace {

[[noreturn]] void refuse(const std::string& body, const std::string& problem) {
  throw InputError({.key = body + ".mesh", .problem = problem, .advice = "a wire follows one open polyline"});
}

/// The points of the polyline from one end to the other.
std::vector<Vec3> walk(const std::string& body, const Mesh& curve) {
  std::vector<std::vector<int>> neighbors(curve.vertices.size());
  for (const Segment& s : curve.segments) {
    neighbors[s[0]].push_back(s[1]);
    neighbors[s[1]].push_back(s[0]);
  }
  int start = -1;
  for (std::size_t i = 0; i < neighbors.size(); ++i) {
    if (neighbors[i].empty() || neighbors[i].size() > 2)
      refuse(body, fmt::format("vertex {} belongs to {} segments", i, neighbors[i].size()));
    if (neighbors[i].size() == 1 && start < 0) start = static_cast<int>(i);
  }
  if (start < 0) refuse(body, "the curve is closed");
  std::vector<Vec3> points{curve.vertices[start]};
  int before = -1;
  for (int at = start;;) {
    const auto& next = neighbors[at];
    const int ahead = next[0] != before ? next[0] : (next.size() > 1 ? next[1] : -1);
    if (ahead < 0 || (next.size() == 1 && before >= 0)) break;
    before = std::exchange(at, ahead);
    points.push_back(curve.vertices[at]);
    if ((points.back() - points[points.size() - 2]).norm() == 0)
      refuse(body, fmt::format("segment ends at vertex {} coincide", at));
  }
  if (points.size() != curve.vertices.size()) refuse(body, "the curve is in several pieces");
  if (points.size() < 2) refuse(body, "the curve has no segment");
  return points;
}

/// Unit tangents: the mean direction of the two segments at a point.
std::vector<Vec3> tangents(const std::vector<Vec3>& points) {
  std::vector<Vec3> t(points.size());
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Vec3 back = k > 0 ? (points[k] - points[k - 1]).normalized() : Vec3::Zero();
    const Vec3 ahead = k + 1 < points.size() ? (points[k + 1] - points[k]).normalized() : Vec3::Zero();
    t[k] = (back + ahead).norm() > 1e-9 ? (back + ahead).normalized() : back;
  }
  return t;
}

/// Normal of the plane in which the curve first bends; for straight curves any normal of the first tangent.
Vec3 first_normal(const std::vector<Vec3>& t) {
  for (std::size_t k = 0; k + 1 < t.size(); ++k) {
    const Vec3 normal = t[k].cross(t[k + 1]);
    if (normal.norm() > 1e-6) return (normal - normal.dot(t[0]) * t[0]).normalized();
  }
  return t[0].unitOrthogonal();
}

/// Frames that do not twist about the curve, carried along by the double reflection of Wang et al. 2008: straight and
/// inflected parts, where the plane of curvature is lost or turns over, do not disturb them.
std::vector<Vec3> transported_normals(const std::vector<Vec3>& points, const std::vector<Vec3>& t) {
  std::vector<Vec3> q{first_normal(t)};
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    const Vec3 chord = points[k + 1] - points[k];
    const double c1 = chord.squaredNorm();
    const Vec3 normal = q[k] - 2 / c1 * chord.dot(q[k]) * chord;
    const Vec3 tangent = t[k] - 2 / c1 * chord.dot(t[k]) * chord;
    const Vec3 mirror = t[k + 1] - tangent;
    const double c2 = mirror.squaredNorm();
    const Vec3 carried = c2 > 1e-30 ? Vec3(normal - 2 / c2 * mirror.dot(normal) * mirror) : normal;
    q.push_back((carried - carried.dot(t[k + 1]) * t[k + 1]).normalized());
  }
  return q;
}

}  // namespace

Wire make_wire(const std::string& body, const Mesh& curve, double radius) {
  const std::vector<Vec3> points = walk(body, curve);
  const std::vector<Vec3> t = tangents(points);
  const std::vector<Vec3> q = transported_normals(points, t);
  Wire wire{.points = static_cast<int>(points.size()), .mesh = {}, .edges = {}, .length_per_vertex = {}};
  std::set<std::pair<int, int>> edges;
  for (int k = 0; k < wire.points; ++k) {
    const Vec3 p = q[k].cross(t[k]);
    for (const Vec3& corner : {points[k], Vec3(points[k] + radius * p), Vec3(points[k] + radius * q[k])})
      wire.mesh.vertices.push_back(corner);
    const double back = k > 0 ? (points[k] - points[k - 1]).norm() : 0;
    const double ahead = k + 1 < wire.points ? (points[k + 1] - points[k]).norm() : 0;
    wire.length_per_vertex.insert(wire.length_per_vertex.end(), 3, back + ahead);
    if (k + 1 == wire.points) break;
    const int R = 3 * k, P = R + 1, Q = R + 2, R1 = R + 3, P1 = R + 4, Q1 = R + 5;
    for (Tet tet : {Tet{R1, P, Q, R}, Tet{R1, Q1, Q, P}, Tet{R1, P, P1, Q1}}) {
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < a; ++b) edges.insert(std::minmax(tet[a], tet[b]));
      wire.mesh.tets.push_back(tet);
    }
  }
  for (Tet& tet : wire.mesh.tets) {
    const Vec3& o = wire.mesh.vertices[tet[0]];
    auto arm = [&](int a) -> Vec3 { return wire.mesh.vertices[tet[a]] - o; };
    if (arm(1).cross(arm(2)).dot(arm(3)) < 0) std::swap(tet[2], tet[3]);
  }
  for (const auto& [a, b] : edges) wire.edges.push_back({a, b});
  return wire;
}

std::vector<std::array<int, 4>> twist_segments(int first_vertex, int points) {
  std::vector<std::array<int, 4>> segments;
  for (int R = first_vertex; R + 3 < first_vertex + 3 * points; R += 3) segments.push_back({R, R + 2, R + 3, R + 5});
  return segments;
}

TorsionSprings::TorsionSprings(int first_vertex, int points, double rigidity, const NodalField& rest)
    : first_vertex_(first_vertex), points_(points), stiffness_(points) {
  for (int k = 0; k + 1 < points; ++k) rest_twist_.push_back(twist(rest, k));
  for (int j = 1; j + 1 < points; ++j) {
    const double length =
        0.5 * ((at(rest, j, 0) - at(rest, j - 1, 0)).norm() + (at(rest, j + 1, 0) - at(rest, j, 0)).norm());
    stiffness_[j] = 4 * rigidity / (length * (at(rest, j, 2) - at(rest, j, 0)).squaredNorm());
  }
}

double TorsionSprings::twist(const NodalField& x, int a) const {
  Vector3<double> corners[4];
  for (int c = 0; c < 4; ++c) {
    const Vec3 p = at(x, a + c / 2, c % 2 * 2);
    corners[c] = {{p[0], p[1], p[2]}};
  }
  return TorsionKernel::twist(corners);
}

void TorsionSprings::add(const NodalField& x, const NodalField&, double, NodalField& f) const {
  auto error = [&](int segment) {
    return std::remainder(rest_twist_[segment] - twist(x, segment), 2 * std::numbers::pi);
  };
  for (int j = 1; j + 1 < points_; ++j) {
    const Vec3 back = at(x, j, 0) - at(x, j - 1, 0);
    const Vec3 ahead = at(x, j + 1, 0) - at(x, j, 0);
    const Eigen::Quaterniond from_back(Eigen::AngleAxisd(0.5 * error(j - 1), back.normalized()));
    const Eigen::Quaterniond from_ahead(Eigen::AngleAxisd(-0.5 * error(j), ahead.normalized()));
    const double fraction = back.norm() / (back.norm() + ahead.norm());
    const Vec3 arm = at(x, j, 2) - at(x, j, 0);
    const Vec3 pull = stiffness_[j] * (from_back.slerp(fraction, from_ahead) * arm - arm);
    f[first_vertex_ + 3 * j + 2] += pull;
    f[first_vertex_ + 3 * j] -= pull;
  }
}

}  // namespace brio
