#include "contact/surfaces.h"

#include <algorithm>

#include "mesh/topology.h"

namespace brio {
namespace {

ContactSurface of_triangles(const Body& body, double thickness) {
  ContactSurface surface{.body = body.id, .half_thickness = 0.5 * thickness};
  surface.triangles = body.kind == BodyKind::solid ? brio::surface(body.mesh) : body.mesh.triangles;
  for (Triangle& triangle : surface.triangles)
    for (int& v : triangle) {
      v += body.first_vertex;
      surface.points.push_back(v);
    }
  for_each_run(sorted_edges(surface.triangles), [&](auto first, auto) { surface.edges.push_back(first->key); });
  return surface;
}

/// Three vertices per point of the curve, the first of them on it and the second a radius away.
ContactSurface of_wire(const Body& body) {
  const auto& x = body.mesh.vertices;
  ContactSurface surface{.body = body.id, .is_line = true, .half_thickness = (x[1] - x[0]).norm()};
  for (int k = 0; 3 * k < static_cast<int>(x.size()); ++k) {
    surface.points.push_back(body.first_vertex + 3 * k);
    if (k > 0) surface.edges.push_back({surface.points[k - 1], surface.points[k]});
  }
  return surface;
}

ContactSurface of_particles(const Body& body, double thickness) {
  ContactSurface surface{.body = body.id, .meets_bodies = false, .half_thickness = 0.5 * thickness};
  for (std::size_t k = 0; k < body.mesh.vertices.size(); ++k)
    surface.points.push_back(body.first_vertex + static_cast<int>(k));
  return surface;
}

}  // namespace

ContactSurface contact_surface(const Body& body, double thickness) {
  ContactSurface surface = body.kind == BodyKind::wire        ? of_wire(body)
                           : body.kind == BodyKind::particles ? of_particles(body, thickness)
                                                              : of_triangles(body, thickness);
  auto& points = surface.points;
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return surface;
}

std::vector<ContactSurface> contact_surfaces(const Model& model, const std::vector<BodyId>& bodies, double thickness) {
  std::vector<ContactSurface> surfaces;
  for (const BodyId id : bodies)
    if (const Body& body = model.body(id); body.kind != BodyKind::particles)
      surfaces.push_back(contact_surface(body, thickness));
  return surfaces;
}

}  // namespace brio
