/// Which grid points lie inside is decided by counting the surface's crossings along rays in the three directions and
/// taking the majority: a small hole misleads few rays, and hardly two at the same point. [Nooruddin, Turk 2003]
/// The answers, blurred a little, are contoured with marching tetrahedra, whose result is always a closed manifold.
#include "mesh/models/resurface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "mesh/topology.h"

namespace brio {
namespace {

using Point = std::array<int, 3>;

struct Grid {
  Point size;      ///< points in each direction
  Vec3 low;        ///< position of point (0, 0, 0) [m]
  double spacing;  ///< [m]

  std::size_t index(const Point& p) const {
    return (std::size_t(p[2]) * std::size_t(size[1]) + std::size_t(p[1])) * std::size_t(size[0]) + std::size_t(p[0]);
  }
  std::size_t points() const { return std::size_t(size[0]) * std::size_t(size[1]) * std::size_t(size[2]); }
  Vec3 position(std::size_t i) const {
    const std::size_t row = i / std::size_t(size[0]);
    const std::size_t layer = row / std::size_t(size[1]);
    return low + spacing * Vec3(double(i % std::size_t(size[0])), double(row % std::size_t(size[1])), double(layer));
  }
};

Grid grid_around(const Mesh& scan, int cells) {
  constexpr int margin = 4;  // points beyond the surface on each side, more than the blur reaches
  const MeshReport box = check_mesh(scan);
  const Vec3 extent = box.high - box.low;
  const double spacing = extent.maxCoeff() / cells;
  Grid grid{{}, box.low - Vec3::Constant(margin * spacing), spacing};
  for (int i = 0; i < 3; ++i) grid.size[i] = static_cast<int>(extent[i] / spacing) + 2 * margin + 1;
  return grid;
}

/// Adds 1 to `votes` where a ray along `axis` has crossed the surface an odd number of times.
void vote(const Mesh& scan, const Grid& grid, int axis, std::vector<float>& votes) {
  const int u = (axis + 1) % 3;
  const int w = (axis + 2) % 3;
  const Vec3 off = Vec3(0.0137, 0.0271, 0.0193);  // rays avoid the round numbers at which scans like to have edges
  std::vector<char> crossed(grid.points());
  for (const Triangle& t : scan.triangles) {
    std::array<Vec3, 3> x;
    for (int i = 0; i < 3; ++i) x[i] = (scan.vertices[t[i]] - grid.low) / grid.spacing - off;
    const auto area = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
      return (b[u] - a[u]) * (c[w] - a[w]) - (b[w] - a[w]) * (c[u] - a[u]);
    };
    const double whole = area(x[0], x[1], x[2]);
    if (whole == 0) continue;
    const auto first = [&](int k) { return static_cast<int>(std::ceil(std::min({x[0][k], x[1][k], x[2][k]}))); };
    const auto last = [&](int k) { return static_cast<int>(std::floor(std::max({x[0][k], x[1][k], x[2][k]}))); };
    for (int j = first(w); j <= last(w); ++j)
      for (int i = first(u); i <= last(u); ++i) {
        Vec3 ray = Vec3::Zero();
        ray[u] = i;
        ray[w] = j;
        const double a = area(ray, x[1], x[2]) / whole;
        const double b = area(x[0], ray, x[2]) / whole;
        if (a < 0 || b < 0 || a + b > 1) continue;
        Point at{};
        at[u] = i;
        at[w] = j;
        at[axis] = static_cast<int>(std::ceil(a * x[0][axis] + b * x[1][axis] + (1 - a - b) * x[2][axis]));
        crossed[grid.index(at)] ^= 1;
      }
  }
  Point p{};
  for (p[w] = 0; p[w] < grid.size[w]; ++p[w])
    for (p[u] = 0; p[u] < grid.size[u]; ++p[u]) {
      bool inside = false;
      for (p[axis] = 0; p[axis] < grid.size[axis]; ++p[axis]) {
        inside ^= crossed[grid.index(p)] != 0;
        if (inside) votes[grid.index(p)] += 1;
      }
    }
}

/// Replaces each value by (1, 2, 1) / 4 of it and its neighbors along the axis.
void blur(const Grid& grid, int axis, std::vector<float>& values) {
  Point step{};
  step[axis] = 1;
  const std::size_t stride = grid.index(step);
  const std::vector<float> old = values;
  for (std::size_t i = stride; i + stride < old.size(); ++i)
    values[i] = 0.25f * old[i - stride] + 0.5f * old[i] + 0.25f * old[i + stride];
}

Mesh contour(const Grid& grid, const std::vector<float>& values) {
  constexpr float level = 0.4987f;  // no sum of blurred ones equals it, so no vertex falls on a grid point
  Mesh mesh;
  std::unordered_map<std::size_t, int> known;
  const auto vertex = [&](std::size_t a, std::size_t b) {
    if (a > b) std::swap(a, b);
    const auto [place, is_new] = known.try_emplace(a * grid.points() + b, static_cast<int>(mesh.vertices.size()));
    if (is_new) {
      const double t = (level - values[a]) / (values[b] - values[a]);
      mesh.vertices.push_back((1 - t) * grid.position(a) + t * grid.position(b));
    }
    return place->second;
  };
  // Kuhn's six tets of a cell, each a walk from its lowest to its highest corner; corner (a, b, c) is a + 2 b + 4 c.
  constexpr std::array<std::array<int, 4>, 6> tets{
      {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}}};
  Point p{};
  for (p[2] = 0; p[2] + 1 < grid.size[2]; ++p[2])
    for (p[1] = 0; p[1] + 1 < grid.size[1]; ++p[1])
      for (p[0] = 0; p[0] + 1 < grid.size[0]; ++p[0])
        for (const auto& tet : tets) {
          std::array<std::size_t, 4> in{};
          std::array<std::size_t, 4> out{};
          int ins = 0;
          int outs = 0;
          for (const int corner : tet) {
            const std::size_t i = grid.index({p[0] + (corner & 1), p[1] + (corner >> 1 & 1), p[2] + (corner >> 2)});
            if (values[i] > level) {
              in[ins++] = i;
            } else {
              out[outs++] = i;
            }
          }
          if (ins == 1) mesh.triangles.push_back({vertex(in[0], out[0]), vertex(in[0], out[1]), vertex(in[0], out[2])});
          if (outs == 1)
            mesh.triangles.push_back({vertex(in[0], out[0]), vertex(in[1], out[0]), vertex(in[2], out[0])});
          if (ins == 2) {
            const std::array<int, 4> ring{vertex(in[0], out[0]), vertex(in[0], out[1]), vertex(in[1], out[1]),
                                          vertex(in[1], out[0])};
            mesh.triangles.push_back({ring[0], ring[1], ring[2]});
            mesh.triangles.push_back({ring[0], ring[2], ring[3]});
          }
        }
  return mesh;
}

Mesh largest_piece(const Mesh& mesh) {
  DisjointSets pieces(mesh.vertices.size());
  for (const auto& [a, b, c] : mesh.triangles) {
    pieces.join(a, b);
    pieces.join(a, c);
  }
  std::vector<int> triangles(mesh.vertices.size());
  for (const Triangle& t : mesh.triangles) ++triangles[pieces.find(t[0])];
  const auto largest = static_cast<int>(std::max_element(triangles.begin(), triangles.end()) - triangles.begin());
  Mesh piece{mesh.vertices, {}, {}, {}};
  for (const Triangle& t : mesh.triangles)
    if (pieces.find(t[0]) == largest) piece.triangles.push_back(t);
  return remove_unreferenced(piece);
}

}  // namespace

Mesh resurface(const Mesh& scan, int cells) {
  const Grid grid = grid_around(scan, cells);
  std::vector<float> values(grid.points());
  for (int axis = 0; axis < 3; ++axis) vote(scan, grid, axis, values);
  for (float& value : values) value = value >= 2 ? 1.0f : 0.0f;
  for (int axis = 0; axis < 3; ++axis) blur(grid, axis, values);
  Mesh result = largest_piece(contour(grid, values));
  orient(result);
  return result;
}

}  // namespace brio
