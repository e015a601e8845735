/// Meshes: made, read, written, checked, cut down to what a simulation needs.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "brio/math.h"

namespace brio {

using Tet = std::array<int, 4>;       ///< positively oriented: det(x1-x0, x2-x0, x3-x0) > 0
using Triangle = std::array<int, 3>;  ///< counter-clockwise seen from outside
using Segment = std::array<int, 2>;

/// Vertices and the cells over them. A solid has tets (and perhaps its surface triangles), a sheet triangles, a curve
/// segments.
struct Mesh {
  std::vector<Vec3> vertices;  ///< [m]
  std::vector<Tet> tets;
  std::vector<Triangle> triangles;
  std::vector<Segment> segments;
};

}  // namespace brio
