#include "contact/mesh_shape.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>

#include "mesh/topology.h"
#include "model/body_checks.h"

namespace brio {
namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& problem, const std::string& advice = {}) {
  throw InputError({.key = key, .problem = problem, .advice = advice});
}

double angle_at(const Vec3& corner, const Vec3& a, const Vec3& b) {
  const Vec3 u = a - corner;
  const Vec3 v = b - corner;
  return std::atan2(u.cross(v).norm(), u.dot(v));
}

std::vector<std::array<Vec3, 7>> pseudonormals(const std::vector<Vec3>& x, const std::vector<Triangle>& triangles) {
  std::vector<std::array<Vec3, 7>> of(triangles.size());
  std::vector<Vec3> at_vertex(x.size(), Vec3::Zero());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const Triangle& v = triangles[t];
    of[t][0] = (x[v[1]] - x[v[0]]).cross(x[v[2]] - x[v[0]]).normalized();
    for (int i = 0; i < 3; ++i) at_vertex[v[i]] += angle_at(x[v[i]], x[v[(i + 1) % 3]], x[v[(i + 2) % 3]]) * of[t][0];
  }
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (int i = 0; i < 3; ++i) of[t][4 + i] = at_vertex[triangles[t][i]].normalized();
  for_each_run(sorted_edges(triangles), [&](auto first, auto last) {
    Vec3 sum = Vec3::Zero();
    for (auto use = first; use != last; ++use) sum += of[use->cell / 3][0];
    for (auto use = first; use != last; ++use) of[use->cell / 3][1 + use->cell % 3] = sum.normalized();
  });
  return of;
}

/// Whether a triangle rises above the plane of a neighbor, by more than rounding.
bool has_valley(const std::vector<Vec3>& x, const std::vector<Triangle>& triangles,
                const std::vector<std::array<Vec3, 7>>& normals) {
  bool found = false;
  for_each_run(sorted_edges(triangles), [&](auto first, auto last) {
    for (auto use = first + 1; use != last; ++use) {
      const Vec3 across = x[triangles[use->cell / 3][(use->cell + 2) % 3]] - x[use->key[0]];
      found = found || normals[first->cell / 3][0].dot(across) > 1e-9 * across.norm();
    }
  });
  return found;
}

}  // namespace

/// Beyond a vertex both edges that meet there lead away from the point; beyond an edge, the point is on the far side of
/// it and its foot falls between the ends.
OnTriangle closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const std::array<const Vec3*, 3> corner{&a, &b, &c};
  const Vec3 normal = (b - a).cross(c - a);
  for (int i = 0; i < 3; ++i) {
    const Vec3& from = *corner[i];
    const Vec3 edge = *corner[(i + 1) % 3] - from;
    const Vec3 other = *corner[(i + 2) % 3] - from;
    const Vec3 d = p - from;
    if (d.dot(edge) <= 0 && d.dot(other) <= 0) return {from, 4 + i};
    const double along = d.dot(edge) / edge.squaredNorm();
    if (along > 0 && along < 1 && normal.dot(edge.cross(d)) <= 0) return {from + along * edge, 1 + i};
  }
  return {p - normal.dot(p - a) / normal.squaredNorm() * normal, 0};
}

TriangleShape::TriangleShape(const Mesh& mesh, const std::string& key) {
  check_cells(key, mesh);
  Mesh skin{.vertices = mesh.vertices,
            .tets = {},
            .triangles = mesh.triangles.empty() ? brio::surface(mesh) : mesh.triangles,
            .segments = {}};
  if (skin.triangles.empty()) refuse(key, "has no triangles");
  const MeshReport report = check_mesh(skin);
  if (!report.flat_triangles.empty())
    refuse(key, fmt::format("triangle {} has no area", report.flat_triangles[0]), "weld the mesh");
  if (!report.manifold)
    refuse(key, fmt::format("the edge from vertex {} to {} has more than two triangles", report.crowded_edges[0][0],
                            report.crowded_edges[0][1]));
  if (!report.closed) refuse(key, "is not closed: it has a rim, so that nothing is inside", "close the holes");
  if (!report.oriented || report.volume <= 0)
    refuse(key, "its triangles are not all turned outward", "orient() turns them");
  auto surface = std::make_shared<Surface>();
  surface->pseudonormals = pseudonormals(skin.vertices, skin.triangles);
  surface->has_dents = has_valley(skin.vertices, skin.triangles, surface->pseudonormals);
  std::vector<Box> boxes(skin.triangles.size());
  for (std::size_t t = 0; t < boxes.size(); ++t)
    for (const int v : skin.triangles[t]) boxes[t].include(skin.vertices[v]);
  surface->tree = Bvh(boxes);
  const Box bounds = surface->tree.bounds();
  surface->size = (bounds.high - bounds.low).norm();
  surface->vertices = std::move(skin.vertices);
  surface->triangles = std::move(skin.triangles);
  surface_ = std::move(surface);
}

double TriangleShape::min_distance(const Vec3& p) const {
  const double outside = surface_->tree.bounds().squared_distance(p);
  return outside > 0 ? std::sqrt(outside) : -std::numeric_limits<double>::infinity();
}

Closest TriangleShape::closest(const Vec3& p) const {
  const auto on = [&](int t) {
    const auto& [a, b, c] = surface_->triangles[t];
    return closest_on_triangle(p, surface_->vertices[a], surface_->vertices[b], surface_->vertices[c]);
  };
  double least = std::numeric_limits<double>::infinity();
  const int t = surface_->tree.nearest(p, least, [&](int item) { return (p - on(item).point).squaredNorm(); });
  const auto [point, feature] = on(t);
  const Vec3& face = surface_->pseudonormals[t][0];
  const Vec3& outward = surface_->pseudonormals[t][feature];
  constexpr double flat = 1 - 1e-12;    // an edge between triangles of one plane is as good as its face
  constexpr double on_feature = 1e-12;  // of the mesh's size; nearer, directions are rounding
  const Vec3 from = p - point;
  const double length = from.norm();
  if (feature == 0 || outward.dot(face) > flat) return {.distance = face.dot(from), .normal = face};
  if (length <= on_feature * surface_->size) return {.distance = 0, .normal = outward};
  const double sign = std::copysign(1.0, outward.dot(from));
  Closest found{.distance = sign * length, .normal = sign / length * from, .bend = sign / length};
  if (feature <= 3) {
    const Triangle& v = surface_->triangles[t];
    found.axis = (surface_->vertices[v[feature % 3]] - surface_->vertices[v[feature - 1]]).normalized();
  }
  return found;
}

}  // namespace brio
