#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "mesh/topology.h"

namespace brio {
namespace {

/// Drops cells that use a vertex twice, and later copies of a cell.
template <class Cell>
void drop_collapsed(std::vector<Cell>& cells) {
  std::vector<std::pair<Cell, std::size_t>> keyed;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    Cell key = cells[c];
    std::sort(key.begin(), key.end());
    if (std::adjacent_find(key.begin(), key.end()) == key.end()) keyed.emplace_back(key, c);
  }
  std::sort(keyed.begin(), keyed.end());
  keyed.erase(std::unique(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
              keyed.end());
  std::sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<Cell> kept;
  kept.reserve(keyed.size());
  for (const auto& [key, c] : keyed) kept.push_back(cells[c]);
  cells = std::move(kept);
}

/// A box of the grid that vertices are looked up in. Whole numbers kept as doubles: far from the origin, in units of a
/// tiny tolerance, they would not fit an integer.
using Box = std::array<double, 3>;
struct HashBox {
  std::size_t operator()(const Box& box) const {
    std::uint64_t hash = 0;
    for (const double d : box) hash = hash * 0x9e3779b97f4a7c15u + std::hash<double>{}(d);
    return static_cast<std::size_t>(hash ^ hash >> 32);
  }
};

/// For each vertex the first one, itself or earlier, that it merges into.
std::vector<int> merge_targets(const std::vector<Vec3>& x, double tolerance) {
  const int radius = tolerance > 0 ? 1 : 0;
  const auto box_of = [&](const Vec3& p) {
    Box box{};
    for (int i = 0; i < 3; ++i) box[i] = tolerance > 0 ? std::floor(p[i] / tolerance) : p[i] + 0.0;  // -0 becomes 0
    return box;
  };
  std::unordered_map<Box, std::vector<int>, HashBox> kept;
  std::vector<int> target(x.size());
  for (std::size_t v = 0; v < x.size(); ++v) {
    const Box home = box_of(x[v]);
    int found = static_cast<int>(v);
    for (int i = -radius; i <= radius; ++i)
      for (int j = -radius; j <= radius; ++j)
        for (int k = -radius; k <= radius; ++k) {
          const auto box = kept.find({home[0] + i, home[1] + j, home[2] + k});
          if (box == kept.end()) continue;
          for (const int other : box->second)
            if ((x[other] - x[v]).norm() <= tolerance) found = std::min(found, other);
        }
    target[v] = found;
    if (found == static_cast<int>(v)) kept[home].push_back(found);
  }
  return target;
}

}  // namespace

Mesh remove_unreferenced(const Mesh& mesh) {
  require_valid_indices(mesh);
  std::vector<int> new_index(mesh.vertices.size(), -1);
  const auto mark = [&](const auto& cells) {
    for (const auto& cell : cells)
      for (const int v : cell) new_index[v] = 0;
  };
  mark(mesh.tets);
  mark(mesh.triangles);
  mark(mesh.segments);
  Mesh result{{}, mesh.tets, mesh.triangles, mesh.segments};
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    if (new_index[v] < 0) continue;
    new_index[v] = static_cast<int>(result.vertices.size());
    result.vertices.push_back(mesh.vertices[v]);
  }
  renumber(result.tets, new_index);
  renumber(result.triangles, new_index);
  renumber(result.segments, new_index);
  return result;
}

Mesh weld(const Mesh& mesh, double tolerance) {
  require_valid_indices(mesh);
  if (!(tolerance >= 0) || !std::isfinite(tolerance))
    throw InputError({.key = "tolerance", .value = fmt::format("{}", tolerance), .problem = "must be >= 0"});
  std::vector<int> new_index = merge_targets(mesh.vertices, tolerance);
  Mesh result{{}, mesh.tets, mesh.triangles, mesh.segments};
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    if (new_index[v] != static_cast<int>(v)) {
      new_index[v] = new_index[new_index[v]];  // targets come first, so theirs is final
    } else {
      new_index[v] = static_cast<int>(result.vertices.size());
      result.vertices.push_back(mesh.vertices[v]);
    }
  }
  renumber(result.tets, new_index);
  renumber(result.triangles, new_index);
  renumber(result.segments, new_index);
  drop_collapsed(result.tets);
  drop_collapsed(result.triangles);
  drop_collapsed(result.segments);
  return result;
}

}  // namespace brio
