#include "contact/separation.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

#include "contact/crossings.h"

namespace brio {
namespace {

Vec3 middle_of(const ContactSurface& surface, const NodalField& x) {
  Vec3 sum = Vec3::Zero();
  for (const int v : surface.points) sum += x[v];
  return sum / static_cast<double>(surface.points.size());
}

/// How far `surface` must go along n until all of it is beyond `other` [m].
double way_along(const Vec3& n, const ContactSurface& surface, const ContactSurface& other, const NodalField& x) {
  double first = std::numeric_limits<double>::infinity(), last = -first;
  for (const int v : surface.points) first = std::min(first, n.dot(x[v]));
  for (const int v : other.points) last = std::max(last, n.dot(x[v]));
  return last - first;
}

const ContactSurface* surface_of(int vertex, const std::vector<ContactSurface>& surfaces) {
  const auto found = std::ranges::find_if(
      surfaces, [&](const ContactSurface& one) { return std::ranges::binary_search(one.points, vertex); });
  return found == surfaces.end() ? nullptr : &*found;
}

}  // namespace

WayOut find_way_out(const ContactSurface& surface, const ContactSurface& other, const NodalField& x) {
  constexpr std::size_t many = 500;  // faces; of finer surfaces some of them
  WayOut best{.depth = std::numeric_limits<double>::infinity()};
  const auto look = [&](const Vec3& direction) {
    const double length = direction.norm();
    if (!(length > 0)) return;
    const Vec3 n = direction / length;
    if (const double depth = way_along(n, surface, other, x); depth < best.depth) best = {n, depth};
  };
  look(middle_of(surface, x) - middle_of(other, x));
  for (int c = 0; c < 3; ++c)
    for (const double sign : {1.0, -1.0}) look(sign * Vec3::Unit(c));
  for (const auto& [faces, sign] : {std::pair{&other.triangles, 1.0}, std::pair{&surface.triangles, -1.0}}) {
    const std::size_t stride = 1 + faces->size() / many;
    for (std::size_t t = 0; t < faces->size(); t += stride) {
      const Triangle& v = (*faces)[t];
      look(sign * (x[v[1]] - x[v[0]]).cross(x[v[2]] - x[v[0]]));
    }
  }
  return best;
}

bool set_bodies_apart(const Model& model, const std::vector<ContactSurface>& surfaces, int first_vertex,
                      NodalField& x) {
  const NodalField before = x;
  const auto is_free = [&](const ContactSurface& surface) {
    return surface.points.front() >= first_vertex && std::ranges::none_of(surface.points, [&](int v) {
             return model.pinned()[static_cast<std::size_t>(v)] != 0;
           });
  };
  const std::size_t rounds = 20 * surfaces.size();
  bool moved = false;
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<Crossing> crossings = find_crossings(surfaces, x);
    const ContactSurface *later = nullptr, *other = nullptr;
    for (const Crossing& one : crossings) {
      later = surface_of(one.edge[0], surfaces);
      other = surface_of(one.triangle[0], surfaces);
      if (later < other) std::swap(later, other);
      if (!is_free(*later)) std::swap(later, other);
      if (later != other && is_free(*later)) break;
      later = nullptr;
    }
    if (later == nullptr) return moved;  // what still crosses cannot be helped
    const WayOut way = find_way_out(*later, *other, x);
    const Vec3 by = ((1 + 1e-9) * way.depth + later->half_thickness + other->half_thickness) * way.direction;
    const Body& body = model.body(later->body);
    for (std::size_t k = 0; k < body.mesh.vertices.size(); ++k) x[body.first_vertex + k] += by;
    moved = true;
  }
  x = before;
  return false;
}

}  // namespace brio
