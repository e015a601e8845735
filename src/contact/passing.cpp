#include "contact/passing.h"

#include <algorithm>

#include "contact/collider.h"
#include "contact/continuous.h"
#include "contact/crossings.h"
#include "contact/obstacle.h"

namespace brio {
namespace {

/// Triangles of the body that the outline goes through.
std::vector<Triangle> pierced(const ContactSurface& body, const ContactSurface& outline, const NodalField& z) {
  std::vector<Triangle> faces;
  if (outline.core == 0) {
    for (const Crossing& one : find_crossings(outline, body, z)) faces.push_back(one.triangle);
    std::ranges::sort(faces);
    faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
    return faces;
  }
  const Vec3 from = z[outline.points.front()], to = z[outline.points.back()];
  for (const Triangle& t : body.triangles) {
    const Vec3 corners[3] = {z[t[0]], z[t[1]], z[t[2]]};
    const auto is_near = [&](PairKind kind, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
      const Vec3 x[4] = {a, b, c, d};
      return nearest(kind, x).distance() < 0.5 * outline.core;
    };
    bool near = is_near(PairKind::point_triangle, from, corners[0], corners[1], corners[2]) ||
                is_near(PairKind::point_triangle, to, corners[0], corners[1], corners[2]);
    for (std::size_t e = 0; e < 3 && !near; ++e)
      near = is_near(PairKind::segment_segment, from, to, corners[e], corners[(e + 1) % 3]);
    const Vec3 through[5] = {from, to, corners[0], corners[1], corners[2]};
    if (near || pierces(through)) faces.push_back(t);
  }
  return faces;
}

}  // namespace

std::vector<Passing> find_passing(const Model& model, const State& state) {
  std::vector<Passing> found;
  for (const Driven* support : model.supports()) {
    const auto* collider = dynamic_cast<const AnyCollider*>(support);
    if (collider == nullptr || collider->outline() == nullptr || collider->outline()->surface.is_plane) continue;
    const ContactObstacle& shape = *collider->outline();
    const Pose pose = collider->pose_at(state.time);
    std::vector<Vec3> places;
    for (const Vec3& point : shape.points) places.push_back(pose.apply(point));
    NodalField z = state.x;
    z.append(places);
    ContactSurface outline = shape.surface;
    const auto shift = [&](int& v) { v += static_cast<int>(state.x.size()); };
    std::ranges::for_each(outline.points, shift);
    for (Segment& edge : outline.edges) std::ranges::for_each(edge, shift);
    for (const Body& body : model.bodies()) {
      if (!shape.bodies.empty() && std::ranges::count(shape.bodies, body.id) == 0) continue;
      const auto is_outside = [&](int v) { return !collider->contains(state.x[v], pose); };
      const std::vector<Triangle> faces = pierced(contact_surface(body, 0), outline, z);
      const long between =
          std::ranges::count_if(faces, [&](const Triangle& t) { return std::ranges::all_of(t, is_outside); });
      if (between > 0) found.push_back({.body = body.id, .collider = collider->name(), .faces = between});
    }
  }
  return found;
}

}  // namespace brio
