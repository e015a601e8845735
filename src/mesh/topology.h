/// How cells hang together: faces, edges, pieces. Everything sorts instead of hashing, so results never depend on the
/// machine.
#pragma once

#include <tuple>

#include "brio/mesh.h"

namespace brio {

/// Throws an InputError that names the first cell with an index that no vertex has.
void require_valid_indices(const Mesh& mesh);

/// Gives every vertex of the cells its new index.
template <class Cell>
void renumber(std::vector<Cell>& cells, const std::vector<int>& new_index) {
  for (Cell& cell : cells)
    for (int& v : cell) v = new_index[v];
}

/// The faces of a positively oriented tet, outward; face i is opposite to vertex i.
std::array<Triangle, 4> faces_of(const Tet& tet);

/// A face or edge with its vertices sorted, and the cell it was seen in.
template <std::size_t N>
struct Use {
  std::array<int, N> key;
  int cell;  ///< for faces 4 tet + face, for edges 3 triangle + edge
  bool operator==(const Use&) const = default;
  bool operator<(const Use& other) const { return std::tie(key, cell) < std::tie(other.key, other.cell); }
};
std::vector<Use<3>> sorted_faces(const std::vector<Tet>& tets);
/// Edge e of a triangle goes from vertex e to vertex e + 1.
std::vector<Use<2>> sorted_edges(const std::vector<Triangle>& triangles);

/// Calls `visit(first, last)` for each run of uses with the same key.
template <std::size_t N, class Visit>
void for_each_run(const std::vector<Use<N>>& uses, Visit visit) {
  for (auto first = uses.begin(); first != uses.end();) {
    auto last = first;
    while (last != uses.end() && last->key == first->key) ++last;
    visit(first, last);
    first = last;
  }
}

/// Disjoint sets of the numbers below a size; a set is named by its smallest member.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size);
  int find(int member);
  void join(int a, int b);

 private:
  std::vector<int> parent_;
};

}  // namespace brio
