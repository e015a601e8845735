/// What the cells of file formats become: triangles, segments, tets, or a refusal that names their kind.
#pragma once

#include <span>
#include <string>

#include "brio/mesh.h"

namespace brio {

/// Fan of triangles around the first corner: exact for convex polygons, which is all that most programs write.
void add_polygon(Mesh& mesh, std::span<const int> corners);

/// One segment from each corner to the next.
void add_chain(Mesh& mesh, std::span<const int> corners);

/// Adds a cell with the type numbers of VTK (vtkCellType.h); points add nothing. Returns what is wrong with it, empty
/// when nothing is.
std::string add_vtk_cell(Mesh& mesh, std::int64_t type, std::span<const int> corners);

namespace vtk {
constexpr int poly_vertex = 2, line = 3, poly_line = 4, triangle = 5, triangle_strip = 6, polygon = 7, tetra = 10;
}

}  // namespace brio
