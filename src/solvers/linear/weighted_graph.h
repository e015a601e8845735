/// Graphs whose vertices and edges stand for many, and how they are made coarser.
#pragma once

#include <random>
#include <vector>

namespace brio {

struct WeightedGraph {
  std::vector<int> start{0};     ///< the neighbors of v are adjacent[start[v]] to adjacent[start[v + 1] - 1]
  std::vector<int> adjacent;     ///< each edge is there from both ends
  std::vector<int> edge_weight;  ///< as many as `adjacent`: edges of the finest graph
  std::vector<int> weight;       ///< of the vertices: vertices of the finest graph
  int vertices() const { return static_cast<int>(weight.size()); }
  long total_weight() const;
  /// Calls `visit(u, k)` for every neighbor u of v; k is the place of the edge in `adjacent`.
  template <class Visit>
  void for_neighbors(int v, Visit&& visit) const {
    for (int k = start[v]; k < start[v + 1]; ++k) visit(adjacent[k], k);
  }
};

/// The same numbers everywhere, as the C++ standard defines them.
using GraphRandom = std::minstd_rand;
inline int random_below(GraphRandom& random, int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

struct CoarserGraph {
  WeightedGraph graph;
  std::vector<int> coarse;  ///< of each vertex: the one that stands for it
};

/// Neighbors become one, those with the heaviest edge between them first; none may weigh more than `max_weight`.
/// [Karypis & Kumar 1998: heavy-edge matching]
CoarserGraph coarsened(const WeightedGraph& graph, long max_weight, GraphRandom& random);

}  // namespace brio
