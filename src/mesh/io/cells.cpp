#include "mesh/io/cells.h"

#include <fmt/format.h>

namespace brio {
namespace {

struct VtkCell {
  int type;
  const char* name;
  std::size_t min, max;  ///< number of corners
};

constexpr std::size_t any = ~std::size_t{0};
constexpr VtkCell known_cells[] = {{1, "vertex", 1, 1},
                                   {vtk::poly_vertex, "poly-vertex", 0, any},
                                   {vtk::line, "line", 2, 2},
                                   {vtk::poly_line, "poly-line", 2, any},
                                   {vtk::triangle, "triangle", 3, 3},
                                   {vtk::triangle_strip, "triangle strip", 3, any},
                                   {vtk::polygon, "polygon", 3, any},
                                   {8, "pixel", 4, 4},
                                   {9, "quad", 4, 4},
                                   {vtk::tetra, "tetrahedron", 4, 4}};

std::string refused_kind(std::int64_t type) {
  switch (type) {
    case 11:
      return "voxel";
    case 12:
      return "hexahedron";
    case 13:
      return "wedge";
    case 14:
      return "pyramid";
    case 21:
      return "quadratic edge";
    case 22:
      return "quadratic triangle";
    case 23:
      return "quadratic quad";
    case 24:
      return "quadratic tetrahedron";
    case 25:
      return "quadratic hexahedron";
    case 42:
      return "polyhedron";
    default:
      return "unknown";
  }
}

}  // namespace

void add_polygon(Mesh& mesh, std::span<const int> corners) {
  for (std::size_t i = 2; i < corners.size(); ++i) mesh.triangles.push_back({corners[0], corners[i - 1], corners[i]});
}

void add_chain(Mesh& mesh, std::span<const int> corners) {
  for (std::size_t i = 1; i < corners.size(); ++i) mesh.segments.push_back({corners[i - 1], corners[i]});
}

std::string add_vtk_cell(Mesh& mesh, std::int64_t type, std::span<const int> c) {
  const VtkCell* cell = nullptr;
  for (const VtkCell& known : known_cells)
    if (known.type == type) cell = &known;
  if (cell == nullptr)
    return fmt::format("cell of type {} ({}): only points, lines, polygons and linear tetrahedra are read", type,
                       refused_kind(type));
  if (c.size() < cell->min || c.size() > cell->max)
    return fmt::format("{} with {} corners: must have {}{}", cell->name, c.size(), cell->max == any ? "at least " : "",
                       cell->min);
  switch (type) {
    case vtk::line:
    case vtk::poly_line:
      add_chain(mesh, c);
      break;
    case vtk::triangle:
    case vtk::polygon:
    case 9:
      add_polygon(mesh, c);
      break;
    case 8:
      add_polygon(mesh, std::array{c[0], c[1], c[3], c[2]});
      break;
    case vtk::triangle_strip:
      for (std::size_t i = 2; i < c.size(); ++i)
        mesh.triangles.push_back(i % 2 == 0 ? Triangle{c[i - 2], c[i - 1], c[i]} : Triangle{c[i - 1], c[i - 2], c[i]});
      break;
    case vtk::tetra:
      mesh.tets.push_back({c[0], c[1], c[2], c[3]});
      break;
    default:
      break;
  }
  return {};
}

}  // namespace brio
