/// What of a model can touch: the vertices, edges and triangles on the surfaces of solids and of cloth, and the center
/// lines of wires.
#pragma once

#include "brio/model.h"

namespace brio {

/// Of one body. Indices are those of the model's vertices.
struct ContactSurface {
  BodyId body{};
  bool is_line = false;          ///< a wire: its edges are the links of its center line, it has no triangles
  std::vector<int> points{};     ///< ascending
  std::vector<Segment> edges{};  ///< each once, sorted
  std::vector<Triangle> triangles{};
  double half_thickness = 0;  ///< how far outside contact begins [m]; the radius of a wire
};

/// Of the bodies given, in that order; particles have none. `thickness` is that between two surfaces [m].
std::vector<ContactSurface> contact_surfaces(const Model& model, const std::vector<BodyId>& bodies, double thickness);

}  // namespace brio
