#include "mesh/generators.h"

namespace brio {
namespace {

const FieldTable<SheetOptions>& sheet_fields() {
  static const auto table = FieldTable<SheetOptions>{}
                                .numbers("size", &SheetOptions::size, "m", Bound::positive(), "lengths along x and z")
                                .wholes("cells", &SheetOptions::cells, Bound::closed(1, 1e6), "cells along x and z");
  return table;
}

}  // namespace

Mesh make_sheet(const SheetOptions& options) {
  sheet_fields().check(options);
  const auto [nx, nz] = options.cells;
  refuse_too_many_cells(2.0 * nx * nz, "cells");

  Mesh mesh;
  mesh.vertices.reserve(std::size_t(nx + 1) * std::size_t(nz + 1));
  for (int j = 0; j <= nz; ++j)
    for (int i = 0; i <= nx; ++i)
      mesh.vertices.emplace_back(options.size[0] * (double(i) / nx - 0.5), 0.0,
                                 options.size[1] * (double(j) / nz - 0.5));

  mesh.triangles.reserve(2 * std::size_t(nx) * std::size_t(nz));
  for (int j = 0; j < nz; ++j)
    for (int i = 0; i < nx; ++i) {
      const int a = j * (nx + 1) + i;
      const int b = a + 1;
      const int c = a + nx + 1;
      const int d = c + 1;
      // One diagonal throughout would make the cloth stiffer along it than across it.
      if ((i + j) % 2 == 0) {
        mesh.triangles.push_back({a, c, d});
        mesh.triangles.push_back({a, d, b});
      } else {
        mesh.triangles.push_back({a, c, b});
        mesh.triangles.push_back({b, c, d});
      }
    }
  return mesh;
}

std::vector<Generator> sheet_generators() {
  return {make_generator("sheet", "a flat grid of triangles in the xz plane", sheet_fields(), make_sheet)};
}

}  // namespace brio
