/// Bars and cubes: a grid of cells, each cut into five or six tets.
///
/// Five: four corner tets around a regular one. The cut puts one diagonal on each face of the cell, and mirroring it in
/// every other cell makes the diagonals of neighbors meet. Best shaped, but with a checkered pattern.
/// Six: Kuhn's cut, one tet for each order in which the axes are walked from the lowest corner to the highest. The same
/// in every cell, hence slightly anisotropic.
#include "mesh/generators.h"

namespace brio {
namespace {

using Corners = std::array<int, 8>;  ///< corner (a, b, c) of a cell is at a + 2 b + 4 c

constexpr std::array<Tet, 5> five{{{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}}};
constexpr std::array<Tet, 6> six{{{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}}};

template <std::size_t N>
void cut(const Corners& corners, const std::array<Tet, N>& pattern, std::vector<Tet>& tets) {
  for (const Tet& t : pattern) tets.push_back({corners[t[0]], corners[t[1]], corners[t[2]], corners[t[3]]});
}

/// The cell seen in a mirror across x, which swaps the diagonals of all faces and turns every tet inside out; the
/// second swap (of two vertices) turns them back.
void cut_mirrored(const Corners& c, std::vector<Tet>& tets) {
  const Corners mirror{c[1], c[0], c[3], c[2], c[5], c[4], c[7], c[6]};
  for (const Tet& t : five) tets.push_back({mirror[t[0]], mirror[t[1]], mirror[t[3]], mirror[t[2]]});
}

const std::vector<std::string> splits{"five", "six"};
const Bound cell_bound = Bound::closed(1, 1e6);

const FieldTable<BarOptions>& bar_fields() {
  static const auto table = FieldTable<BarOptions>{}
                                .vector("size", &BarOptions::size, "m", Bound::positive(), "edge lengths")
                                .wholes("cells", &BarOptions::cells, cell_bound, "cells along x, y and z")
                                .text("split", &BarOptions::split, splits, "tets per cell");
  return table;
}

const FieldTable<CubeOptions>& cube_fields() {
  static const auto table = FieldTable<CubeOptions>{}
                                .number("size", &CubeOptions::size, "m", Bound::positive(), "edge length")
                                .whole("cells", &CubeOptions::cells, cell_bound, "cells along each edge")
                                .text("split", &CubeOptions::split, splits, "tets per cell");
  return table;
}

}  // namespace

Mesh make_bar(const BarOptions& options) {
  bar_fields().check(options);
  const int nx = options.cells[0];
  const int ny = options.cells[1];
  const int nz = options.cells[2];
  const std::size_t per_cell = options.split == "six" ? six.size() : five.size();
  const double cells = double(nx) * ny * nz;
  refuse_too_many_cells(cells * static_cast<double>(per_cell), "cells");

  Mesh mesh;
  mesh.vertices.reserve(std::size_t(nx + 1) * std::size_t(ny + 1) * std::size_t(nz + 1));
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i)
        mesh.vertices.push_back(
            options.size.cwiseProduct(Vec3(double(i) / nx - 0.5, double(j) / ny - 0.5, double(k) / nz - 0.5)));

  const auto vertex = [&](int i, int j, int k) { return (k * (ny + 1) + j) * (nx + 1) + i; };
  mesh.tets.reserve(static_cast<std::size_t>(cells) * per_cell);
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        Corners corners{};
        for (int c = 0; c < 8; ++c) corners[c] = vertex(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
        if (options.split == "six") {
          cut(corners, six, mesh.tets);
        } else if ((i + j + k) % 2 == 0) {
          cut(corners, five, mesh.tets);
        } else {
          cut_mirrored(corners, mesh.tets);
        }
      }
  return mesh;
}

Mesh make_cube(const CubeOptions& options) {
  cube_fields().check(options);
  return make_bar({.size = Vec3::Constant(options.size),
                   .cells = {options.cells, options.cells, options.cells},
                   .split = options.split});
}

std::vector<Generator> block_generators() {
  return {make_generator("bar", "a solid block of cells cut into tets", bar_fields(), make_bar),
          make_generator("cube", "a bar with equal edges", cube_fields(), make_cube)};
}

}  // namespace brio
