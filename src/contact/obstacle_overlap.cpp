#include "contact/obstacle_overlap.h"

#include <fmt/format.h>

#include <algorithm>

#include "contact/crossings.h"
#include "contact/overlaps.h"

namespace brio {
namespace {

/// How far a point is from an obstacle, negative inside of those that have an inside, and the way out.
struct Gap {
  double distance = std::numeric_limits<double>::infinity();  ///< [m]
  Vec3 normal = Vec3::Zero();
};

class Shape {
 public:
  Shape(const ContactSurface& surface, const NodalField& z)
      : surface_(surface), z_(z), closed_(!surface.triangles.empty() && is_closed(surface.triangles)) {
    for (const int v : surface.points) bounds_.include(z[v]);
  }
  bool has_inside() const { return closed_ || surface_.is_plane || surface_.core > 0; }
  /// Infinite for points that are farther away than `reach` from something made of triangles.
  Gap gap(const Vec3& p, double reach) const {
    const auto place = [&](std::size_t k) { return Vec3(z_[surface_.points[k]]); };
    if (surface_.is_plane) {
      const Vec3 a = place(0), normal = (place(1) - a).cross(place(2) - a).normalized();
      return {normal.dot(p - a), normal};
    }
    if (surface_.core > 0) {
      const Vec3 x[3] = {p, place(0), place(surface_.points.size() - 1)};
      return from(point_segment(x).r, -surface_.core);
    }
    Gap nearest;
    if (bounds_.squared_distance(p) > reach * reach) return nearest;
    Vec3 face = Vec3::UnitY();
    for (const Triangle& t : surface_.triangles) {
      const Vec3 x[4] = {p, z_[t[0]], z_[t[1]], z_[t[2]]};
      const Gap one = from(point_triangle(x).r, 0);
      if (!(one.distance < nearest.distance)) continue;
      nearest = one;
      face = (x[2] - x[1]).cross(x[3] - x[1]).normalized();
    }
    const bool on_it = nearest.distance < 1e-6 * reach;  // where rounding would tell the way
    if (closed_ && winds_around(p, surface_.triangles, z_)) nearest = {-nearest.distance, -nearest.normal};
    if (on_it) nearest.normal = face;
    return nearest;
  }

 private:
  static Gap from(const Vec3& r, double less) {
    const double length = r.norm();
    return {length + less, length > 0 ? Vec3(r / length) : Vec3::UnitY()};
  }
  static bool is_closed(const std::vector<Triangle>& triangles) {
    std::vector<Segment> edges;
    for (const Triangle& t : triangles)
      for (std::size_t k = 0; k < 3; ++k) edges.push_back({t[k], t[(k + 1) % 3]});
    std::ranges::sort(edges);
    return std::ranges::all_of(edges, [&](const Segment& edge) {
      return std::ranges::binary_search(edges, Segment{edge[1], edge[0]});
    });
  }

  const ContactSurface& surface_;
  const NodalField& z_;
  Box bounds_;
  bool closed_;
};

bool feels(const ContactSurface& body, const ContactObstacle& obstacle) {
  return body.is_body() && obstacle.is_felt_by(body.body);
}

/// How deep what lies between the vertices of a body is in the core of an obstacle; negative: outside [m].
double depth_in_core(const ContactSurface& body, const ContactSurface& shape, const NodalField& z) {
  double deepest = -std::numeric_limits<double>::infinity();
  for (const Triangle& t : body.triangles)
    for (const int v : shape.points) {
      const Vec3 x[4] = {z[v], z[t[0]], z[t[1]], z[t[2]]};
      deepest = std::max(deepest, shape.core - point_triangle(x).distance());
    }
  for (const Segment& e : body.edges) {
    const Vec3 x[4] = {z[e[0]], z[e[1]], z[shape.points.front()], z[shape.points.back()]};
    deepest = std::max(deepest, shape.core - segment_segment(x).distance());
  }
  return deepest;
}

}  // namespace

std::vector<ObstacleOverlap> find_overlaps(const Model& model, const SelfContact& contact, const State& state,
                                           const NewHere& news) {
  std::vector<ObstacleOverlap> found;
  if (contact.obstacles().empty()) return found;
  NodalField scratch;
  const NodalField& z = contact.everything(state, scratch);
  for (const ContactSurface& surface : contact.list().surfaces()) {
    if (surface.is_body()) continue;
    const Shape shape(surface, z);
    const auto number = static_cast<std::size_t>(surface.obstacle);
    for (const ContactSurface& body : contact.list().surfaces()) {
      if (!feels(body, contact.obstacles()[number])) continue;
      if (body.points.back() < news.vertex && number < news.obstacle) continue;
      ObstacleOverlap overlap{.body = body.body, .obstacle = surface.obstacle};
      overlap.crossings =
          static_cast<long>(find_crossings(body, surface, z).size() + find_crossings(surface, body, z).size());
      bool touches = overlap.crossings > 0;
      // What hangs together and crosses nothing is inside with all of its points or with none.
      const bool first_tells = !surface.triangles.empty() && !touches && !body.edges.empty();
      const auto looked_at = std::span(body.points).first(first_tells ? 1 : body.points.size());
      for (const int v : looked_at) {
        if (!shape.has_inside()) break;
        const double depth = -shape.gap(z[v], 0).distance;
        touches = touches || depth >= 0;
        overlap.depth = std::max(overlap.depth, depth);
      }
      if (surface.core > 0) {
        const double depth = depth_in_core(body, surface, z);
        touches = touches || depth >= 0;
        overlap.depth = std::max(overlap.depth, depth);
      }
      if (!touches && !surface.is_plane && model.body(body.body).kind == BodyKind::solid)
        touches = winds_around(z[surface.points[0]], body.triangles, z);
      if (touches) found.push_back(overlap);
    }
  }
  return found;
}

void refuse_overlaps(const Model& model, const SelfContact& contact, const State& state, const NewHere& news) {
  const std::vector<ObstacleOverlap> found = find_overlaps(model, contact, state, news);
  if (found.empty()) return;
  const ObstacleOverlap& first = found.front();
  const ContactObstacle& obstacle = contact.obstacles()[static_cast<std::size_t>(first.obstacle)];
  const std::string more = found.size() > 1 ? fmt::format("; {} more pairs overlap", found.size() - 1) : "";
  const std::string how = first.depth > 0       ? fmt::format("{:.3g} m deep in it", first.depth)
                          : first.crossings > 0 ? fmt::format("through it in {} places", first.crossings)
                                                : std::string("on its surface, or around it");
  throw InputError({.key = obstacle.name,
                    .value = model.body(first.body).name,
                    .problem = fmt::format("starts {}, and a barrier lets nothing pass{}", how, more),
                    .advice = "move one of them, choose contact.resolve = true, or law = \"potential\""});
}

namespace {

/// In obstacles, or nearer to one than a quarter of where contact begins.
std::vector<BodyId> in_touch(const Model& model, const SelfContact& contact, const State& state) {
  std::vector<BodyId> found;
  for (const ObstacleOverlap& one : find_overlaps(model, contact, state)) found.push_back(one.body);
  for (const ActivePair& one : contact.active_pairs(state))
    if (one.pair.obstacle >= 0 && one.near.distance() - one.pair.barrier.core < one.pair.barrier.dhat / 4)
      found.push_back(contact.list().surfaces()[one.pair.surfaces[0]].is_body()
                          ? contact.list().surfaces()[one.pair.surfaces[0]].body
                          : contact.list().surfaces()[one.pair.surfaces[1]].body);
  return found;
}

bool is_held(const Model& model, const Body& body) {
  const auto first = model.pinned().begin() + body.first_vertex;
  return std::any_of(first, first + static_cast<std::ptrdiff_t>(body.mesh.vertices.size()),
                     [](char pin) { return pin != 0; });
}

}  // namespace

void set_apart(const Model& model, const SelfContact& contact, State& state, int first_vertex, bool any_depth) {
  constexpr int max_rounds = 50;
  if (contact.obstacles().empty()) return;
  const std::vector<BodyId> touching = in_touch(model, contact, state);
  if (touching.empty()) return;
  NodalField scratch;
  const NodalField& z = contact.everything(state, scratch);
  for (const ContactSurface& body : contact.list().surfaces()) {
    if (!body.is_body() || body.points.front() < first_vertex || std::ranges::count(touching, body.body) == 0) continue;
    const Body& whole = model.body(body.body);
    if (is_held(model, whole)) continue;
    Vec3 moved = Vec3::Zero();
    bool is_out = false, is_too_deep = false;
    for (int round = 0; round < max_rounds && !is_out && !is_too_deep; ++round) {
      is_out = true;
      for (const ContactSurface& surface : contact.list().surfaces()) {
        if (surface.is_body() || !feels(body, contact.obstacles()[static_cast<std::size_t>(surface.obstacle)]))
          continue;
        const Shape shape(surface, z);
        const double thickness = surface.half_thickness + (body.is_line ? body.half_thickness : 0);
        Gap least;
        for (const int v : body.points)
          if (const Gap gap = shape.gap(Vec3(z[v]) + moved, thickness); gap.distance < least.distance) least = gap;
        is_too_deep = is_too_deep || (!any_depth && round == 0 && least.distance < -thickness);
        if (least.distance >= thickness) continue;
        moved += (1 + 1e-9) * (thickness - least.distance) * least.normal;
        is_out = false;
      }
    }
    if (!is_out || is_too_deep) continue;
    for (std::size_t k = 0; k < whole.mesh.vertices.size(); ++k) state.x[whole.first_vertex + k] += moved;
  }
}

}  // namespace brio
