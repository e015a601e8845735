#include "mesh/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace brio {
namespace {

template <class Cell>
void require_valid(const std::vector<Cell>& cells, std::size_t vertices, const char* kind) {
  for (std::size_t c = 0; c < cells.size(); ++c)
    for (const int v : cells[c])
      if (v < 0 || static_cast<std::size_t>(v) >= vertices)
        throw InputError({.key = fmt::format("{} {}", kind, c),
                          .value = fmt::format("{}", v),
                          .problem = fmt::format("no such vertex; the mesh has {}", vertices)});
}

}  // namespace

void require_valid_indices(const Mesh& mesh) {
  require_valid(mesh.tets, mesh.vertices.size(), "tet");
  require_valid(mesh.triangles, mesh.vertices.size(), "triangle");
  require_valid(mesh.segments, mesh.vertices.size(), "segment");
}

std::array<Triangle, 4> faces_of(const Tet& t) {
  return {{{t[1], t[2], t[3]}, {t[0], t[3], t[2]}, {t[0], t[1], t[3]}, {t[0], t[2], t[1]}}};
}

std::vector<Use<3>> sorted_faces(const std::vector<Tet>& tets) {
  std::vector<Use<3>> uses;
  uses.reserve(4 * tets.size());
  for (std::size_t t = 0; t < tets.size(); ++t) {
    int face = 0;
    for (Triangle key : faces_of(tets[t])) {
      std::sort(key.begin(), key.end());
      uses.push_back({key, static_cast<int>(4 * t) + face++});
    }
  }
  std::sort(uses.begin(), uses.end());
  return uses;
}

std::vector<Use<2>> sorted_edges(const std::vector<Triangle>& triangles) {
  std::vector<Use<2>> uses;
  uses.reserve(3 * triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (int e = 0; e < 3; ++e) {
      const auto [low, high] = std::minmax(triangles[t][e], triangles[t][(e + 1) % 3]);
      uses.push_back({{low, high}, static_cast<int>(3 * t) + e});
    }
  std::sort(uses.begin(), uses.end());
  return uses;
}

DisjointSets::DisjointSets(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0); }

int DisjointSets::find(int member) {
  while (parent_[member] != member) member = parent_[member] = parent_[parent_[member]];
  return member;
}

void DisjointSets::join(int a, int b) {
  const auto [low, high] = std::minmax({find(a), find(b)});
  parent_[high] = low;
}

}  // namespace brio
