/// Closed surfaces with nothing inside.
#pragma once

#include <string>

#include "brio/mesh.h"

namespace brio {

/// "the surface is flat: 1e-12 m thick, 2 m across"; empty when it has an inside. `report` is that of the mesh.
std::string flatness(const Mesh& surface, const MeshReport& report);

/// "its thinnest triangle, 3, is 1e-9 m high over an edge of 2 m": where to look when a surface cannot be filled.
std::string thinnest_triangle(const Mesh& surface);

}  // namespace brio
