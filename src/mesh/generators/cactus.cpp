/// A cactus: a trunk and two arms, all capsules. Cells of a grid whose middle lies inside are kept whole, so that the
/// surface stays manifold; then it is drawn to that of the capsules as far as the tets stay well shaped.
#include <algorithm>
#include <cmath>
#include <limits>

#include "mesh/generators.h"
#include "mesh/quality.h"

namespace brio {
namespace {

const FieldTable<CactusOptions>& cactus_fields() {
  static const auto table =
      FieldTable<CactusOptions>{}
          .number("height", &CactusOptions::height, "m", Bound::positive(), "of the trunk")
          .whole("cells", &CactusOptions::cells, Bound::closed(12, 200), "along the height; those inside are kept");
  return table;
}

struct Capsule {
  Vec3 a, b;
  double radius;

  double distance(const Vec3& p) const {
    const Vec3 axis = b - a;
    const double along = std::clamp((p - a).dot(axis) / axis.squaredNorm(), 0.0, 1.0);
    return (p - a - along * axis).norm() - radius;
  }
};

/// In units of the height; the foot is at y = -1/2, the plane of the arms z = 0.
const std::array<Capsule, 5> limbs{{{{0, -0.34, 0}, {0, 0.34, 0}, 0.16},
                                    {{0, -0.12, 0}, {-0.32, -0.12, 0}, 0.09},
                                    {{-0.32, -0.12, 0}, {-0.32, 0.2, 0}, 0.09},
                                    {{0, 0, 0}, {0.3, 0, 0}, 0.08},
                                    {{0.3, 0, 0}, {0.3, 0.3, 0}, 0.08}}};

double distance(const Vec3& p) {
  double least = std::numeric_limits<double>::infinity();
  for (const Capsule& limb : limbs) least = std::min(least, limb.distance(p));
  return least;
}

Vec3 outward(const Vec3& p) {
  constexpr double step = 1e-6;
  Vec3 slope;
  for (int c = 0; c < 3; ++c)
    slope[c] = (distance(p + step * Vec3::Unit(c)) - distance(p - step * Vec3::Unit(c))) / (2 * step);
  return slope;
}

/// The cells of a grid around the limbs whose middle is inside one of them.
Mesh cells_inside(int cells_along_height) {
  const double cell = 1.0 / cells_along_height;
  const auto even = [&](double length) { return 2 * static_cast<int>(std::ceil(length / (2 * cell))); };
  const std::array<int, 3> cells{even(0.84), even(1), even(0.32)};
  Mesh grid = make_bar({.size = cell * Vec3(cells[0], cells[1], cells[2]), .cells = cells});
  constexpr std::size_t per_cell = 5;
  std::vector<Tet> kept;
  for (std::size_t first = 0; first < grid.tets.size(); first += per_cell) {
    // The last tet of a cell is the regular one, around its middle.
    Vec3 middle = Vec3::Zero();
    for (const int v : grid.tets[first + per_cell - 1]) middle += grid.vertices[v] / 4;
    if (distance(middle) < 0)
      kept.insert(kept.end(), grid.tets.begin() + static_cast<long>(first),
                  grid.tets.begin() + static_cast<long>(first + per_cell));
  }
  grid.tets = std::move(kept);
  return remove_unreferenced(grid);
}

double quality(const Mesh& mesh, const Tet& t) {
  const Vec3& o = mesh.vertices[t[0]];
  const Vec3 a = mesh.vertices[t[1]] - o;
  const Vec3 b = mesh.vertices[t[2]] - o;
  const Vec3 c = mesh.vertices[t[3]] - o;
  return tet_quality(a, b, c, a.cross(b).dot(c) / 6);
}

/// Moves vertices of the surface towards the capsules, each as far as its tets allow; several times, for where one has
/// moved its neighbors may follow.
void round_off(Mesh& mesh) {
  constexpr double min_quality = 0.45;
  constexpr int sweeps = 5;
  std::vector<std::vector<int>> around(mesh.vertices.size());
  for (std::size_t e = 0; e < mesh.tets.size(); ++e)
    for (const int v : mesh.tets[e]) around[v].push_back(static_cast<int>(e));
  const std::vector<int> outside = select(mesh, OnBoundary{});
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (const int v : outside) {
      const Vec3 from = mesh.vertices[v];
      const Vec3 move = -distance(from) * outward(from);
      for (const double fraction : {1.0, 0.5, 0.25, 0.0}) {
        mesh.vertices[v] = from + fraction * move;
        if (std::ranges::all_of(around[v], [&](int e) { return quality(mesh, mesh.tets[e]) > min_quality; })) break;
      }
    }
}

/// The middle of its extents goes to the origin.
void place(Mesh& mesh, double height) {
  Vec3 low = mesh.vertices[0], high = low;
  for (const Vec3& p : mesh.vertices) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  for (Vec3& p : mesh.vertices) p = height / (high - low)[1] * (p - (low + high) / 2);
}

}  // namespace

Mesh make_cactus(const CactusOptions& options) {
  cactus_fields().check(options);
  Mesh mesh = cells_inside(options.cells);
  round_off(mesh);
  place(mesh, options.height);
  return mesh;
}

std::vector<Generator> cactus_generators() {
  return {make_generator("cactus", "a solid trunk with two arms", cactus_fields(), make_cactus)};
}

}  // namespace brio
