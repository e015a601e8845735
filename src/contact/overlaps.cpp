#include "contact/overlaps.h"

#include <Eigen/Geometry>
#include <cmath>
#include <map>
#include <numbers>

#include "contact/body_size.h"
#include "contact/bvh.h"
#include "contact/continuous.h"
#include "contact/surfaces.h"

namespace brio {
namespace {

template <class Cell>
Box box_around(const Cell& cell, const NodalField& x) {
  Box box;
  for (const int v : cell) box.include(x[v]);
  return box;
}

/// Cells of all surfaces in one list, each with the body that it belongs to.
template <class Cell>
struct AllCells {
  std::vector<Cell> cells{};
  std::vector<BodyId> body{};
  std::vector<Box> boxes{};

  void add(const std::vector<Cell>& more, BodyId of, const NodalField& x) {
    for (const Cell& cell : more) {
      cells.push_back(cell);
      body.push_back(of);
      boxes.push_back(box_around(cell, x));
    }
  }
};

/// A point that is in the body wherever its surface is: bodies in one and the same place have none that cross.
Vec3 point_inside(const Body& body, const ContactSurface& surface, const NodalField& x) {
  if (body.kind != BodyKind::solid) return x[surface.points.front()];
  Vec3 sum = Vec3::Zero();
  for (const int v : body.mesh.tets.front()) sum += x[body.first_vertex + v];
  return sum / 4;
}

}  // namespace

bool winds_around(const Vec3& p, const std::vector<Triangle>& surface, const NodalField& x) {
  double angle = 0;
  for (const Triangle& t : surface) {
    const Vec3 a = x[t[0]] - p, b = x[t[1]] - p, c = x[t[2]] - p;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    angle += 2 * std::atan2(a.cross(b).dot(c), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return std::abs(angle) > 2 * std::numbers::pi;
}

std::vector<Overlap> find_overlaps(const Model& model, const NodalField& x) {
  const std::vector<ContactSurface> surfaces = contact_surfaces(model, all_bodies(model), 0);
  AllCells<Segment> edges;
  AllCells<Triangle> triangles;
  std::vector<Box> bounds;
  for (const ContactSurface& surface : surfaces) {
    edges.add(surface.edges, surface.body, x);
    triangles.add(surface.triangles, surface.body, x);
    bounds.push_back(box_around(surface.points, x));
  }
  constexpr std::size_t max_near = 200;  // other bodies around each, on average; a heap of touching cubes has 13
  const auto near = Bvh(bounds).overlapping_pairs([](int, int) { return true; }, max_near * bounds.size());
  std::map<std::array<BodyId, 2>, long> found;
  const auto pierced = [&](int i, int j) {
    if (edges.body[i] == triangles.body[j]) return false;
    const Segment& e = edges.cells[i];
    const Triangle& t = triangles.cells[j];
    const Vec3 corners[5] = {x[e[0]], x[e[1]], x[t[0]], x[t[1]], x[t[2]]};
    return pierces(corners);
  };
  for (const auto& [i, j] : Bvh(edges.boxes).overlapping_pairs(Bvh(triangles.boxes), 0, pierced))
    ++found[{std::min(edges.body[i], triangles.body[j]), std::max(edges.body[i], triangles.body[j])}];
  const auto contains = [&](int outer, int inner) {
    const ContactSurface& shell = surfaces[outer];
    const Vec3 p = point_inside(model.body(surfaces[inner].body), surfaces[inner], x);
    return model.body(shell.body).kind == BodyKind::solid && bounds[outer].squared_distance(p) == 0 &&
           winds_around(p, shell.triangles, x);
  };
  for (const auto& [i, j] : near)
    if (contains(i, j) || contains(j, i))
      found.try_emplace({std::min(surfaces[i].body, surfaces[j].body), std::max(surfaces[i].body, surfaces[j].body)},
                        0);
  std::vector<Overlap> overlaps;
  for (const auto& [pair, crossings] : found) overlaps.push_back({pair[0], pair[1], crossings});
  return overlaps;
}

}  // namespace brio
