/// What can touch: the vertices, edges and triangles on the surfaces of solids and of cloth, the center lines of wires,
/// particles; and obstacles (contact/obstacle.h).
#pragma once

#include "brio/model.h"

namespace brio {

/// Of one body or obstacle. Indices are those of the model's vertices; those of obstacles come after them.
struct ContactSurface {
  BodyId body{};
  int obstacle = -1;             ///< its place among obstacles; -1: it is of a body
  bool meets_bodies = true;      ///< itself and others; else obstacles alone
  bool is_line = false;          ///< a wire: its edges are the links of its center line, it has no triangles
  bool is_plane = false;         ///< endless, told by three points
  std::vector<int> points{};     ///< ascending
  std::vector<Segment> edges{};  ///< each once, sorted
  std::vector<Triangle> triangles{};
  double half_thickness = 0;  ///< how far outside contact begins [m]; the radius of a wire; all of it of an obstacle
  double core = 0;            ///< radius around points and edges that nothing enters [m]

  bool is_body() const { return obstacle < 0; }
};

/// The surface of a body; `thickness` is that between two surfaces [m].
ContactSurface contact_surface(const Body& body, double thickness);

/// Of the bodies given, in that order; particles have none. `thickness` is that between two surfaces [m].
std::vector<ContactSurface> contact_surfaces(const Model& model, const std::vector<BodyId>& bodies, double thickness);

}  // namespace brio
