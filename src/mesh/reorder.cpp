#include "mesh/reorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "math/morton.h"
#include "mesh/topology.h"

namespace brio {
namespace {

/// The vertex that comes k-th along the curve.
std::vector<int> morton_order(const std::vector<Vec3>& vertices) {
  std::vector<int> order(vertices.size());
  std::iota(order.begin(), order.end(), 0);
  if (vertices.empty()) return order;
  Vec3 low = vertices[0];
  Vec3 high = vertices[0];
  for (const Vec3& p : vertices) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  const double extent = std::max((high - low).maxCoeff(), 1e-300);
  constexpr double cells = (1 << 21) - 1;
  std::vector<std::uint64_t> code(vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i)
    for (int c = 0; c < 3; ++c)
      code[i] |= spread_bits(static_cast<std::uint64_t>((vertices[i][c] - low[c]) / extent * cells)) << c;
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return code[a] < code[b]; });
  return order;
}

std::vector<int> places(const std::vector<int>& order) {
  std::vector<int> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<int>(k);
  return place;
}

template <class Cell>
void reorder_cells(std::vector<Cell>& cells, const std::vector<int>& place) {
  renumber(cells, place);
  std::stable_sort(cells.begin(), cells.end(),
                   [](const Cell& a, const Cell& b) { return std::ranges::min(a) < std::ranges::min(b); });
}

/// Edges that several cells share count for each.
template <class Cell>
void count_edges(const std::vector<Cell>& cells, int window, double& near, double& all) {
  for (const Cell& cell : cells)
    for (std::size_t a = 0; a < cell.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        near += std::abs(cell[a] - cell[b]) <= window ? 1 : 0;
        ++all;
      }
}

}  // namespace

Mesh reordered(const Mesh& mesh) {
  const std::vector<int> order = morton_order(mesh.vertices);
  const std::vector<int> place = places(order);
  Mesh result = mesh;
  for (std::size_t k = 0; k < order.size(); ++k) result.vertices[k] = mesh.vertices[order[k]];
  reorder_cells(result.tets, place);
  reorder_cells(result.triangles, place);
  reorder_cells(result.segments, place);
  return result;
}

double near_edges(const Mesh& mesh) {
  const int window = static_cast<int>(mesh.vertices.size() / 50);
  double near = 0;
  double all = 0;
  count_edges(mesh.tets, window, near, all);
  count_edges(mesh.triangles, window, near, all);
  count_edges(mesh.segments, window, near, all);
  return all > 0 ? near / all : 1;
}

std::string numbering_warning(const std::string& body, const Mesh& mesh) {
  constexpr std::size_t few = 5000;  // vertices that fit the caches however they are numbered
  constexpr double little = 0.15;
  if (mesh.vertices.size() < few) return {};
  const double near = near_edges(mesh);
  if (near > little) return {};
  return fmt::format(
      "{}: only {:.0f} % of the edges join vertices with near numbers, which slows down steps; "
      "'brio mesh IN OUT --reorder' numbers the mesh well",
      body, 100 * near);
}

}  // namespace brio
