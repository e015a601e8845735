#include "model/cloth_springs.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <tuple>

namespace brio {
namespace {

std::vector<Spring> grid_springs(const ClothOptions& options) {
  const int n = options.grid[0];
  const int m = options.grid[1];
  auto id = [n](int i, int j) { return j * (n + 1) + i; };
  std::vector<Spring> springs;
  auto join = [&](int i0, int j0, int i1, int j1, double stiffness) {
    if (i1 >= 0 && i1 <= n && j1 <= m && stiffness > 0) springs.push_back({{id(i0, j0), id(i1, j1)}, stiffness});
  };
  for (int j = 0; j <= m; ++j)
    for (int i = 0; i <= n; ++i) {
      join(i, j, i + 1, j, options.stretch);
      join(i, j, i, j + 1, options.stretch);
      join(i, j, i + 1, j + 1, options.shear);
      join(i, j, i - 1, j + 1, options.shear);
      if (i % 2 == 0) join(i, j, i + 2, j, options.bend);
      if (j % 2 == 0) join(i, j, i, j + 2, options.bend);
    }
  return springs;
}

std::vector<Spring> mesh_springs(const ClothOptions& options) {
  // (lower end, upper end, opposite vertex) of every side of every triangle; sides of one edge become neighbors.
  std::vector<std::tuple<int, int, int>> sides;
  for (const Triangle& t : options.mesh.triangles)
    for (int a = 0; a < 3; ++a) {
      const auto [low, high] = std::minmax(t[a], t[(a + 1) % 3]);
      sides.emplace_back(low, high, t[(a + 2) % 3]);
    }
  std::sort(sides.begin(), sides.end());
  std::vector<Spring> springs;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    const auto [low, high, opposite] = sides[k];
    const bool first = k == 0 || std::get<0>(sides[k - 1]) != low || std::get<1>(sides[k - 1]) != high;
    if (first) {
      springs.push_back({{low, high}, options.stretch});
    } else if (options.bend > 0) {
      springs.push_back({{std::get<2>(sides[k - 1]), opposite}, options.bend});
    }
  }
  return springs;
}

}  // namespace

std::vector<Spring> cloth_springs(const ClothOptions& options) {
  if (options.grid[0] == 0 && options.grid[1] == 0) return mesh_springs(options);
  const std::size_t expected = static_cast<std::size_t>(options.grid[0] + 1) * (options.grid[1] + 1);
  if (options.grid[0] < 1 || options.grid[1] < 1 || expected != options.mesh.vertices.size())
    throw InputError({.key = options.name + ".grid",
                      .value = fmt::format("[{}, {}]", options.grid[0], options.grid[1]),
                      .problem = fmt::format("does not fit a mesh of {} vertices", options.mesh.vertices.size())});
  return grid_springs(options);
}

std::vector<double> vertex_areas(const std::string& body, const Mesh& mesh) {
  std::vector<double> area(mesh.vertices.size());
  for (std::size_t e = 0; e < mesh.triangles.size(); ++e) {
    const Triangle& t = mesh.triangles[e];
    const Vec3 a = mesh.vertices[t[1]] - mesh.vertices[t[0]];
    const Vec3 b = mesh.vertices[t[2]] - mesh.vertices[t[0]];
    const double twice = a.cross(b).norm();
    if (twice <= 1e-12 * std::max(a.squaredNorm(), b.squaredNorm()))
      throw InputError({.key = body + ".mesh", .problem = fmt::format("triangle {} has no area", e)});
    for (const int v : t) area[v] += twice / 6;
  }
  for (std::size_t i = 0; i < area.size(); ++i)
    if (area[i] == 0)
      throw InputError({.key = body + ".mesh", .problem = fmt::format("vertex {} belongs to no triangle", i)});
  return area;
}

}  // namespace brio
