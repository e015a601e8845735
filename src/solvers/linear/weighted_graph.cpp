#include "solvers/linear/weighted_graph.h"

#include <array>
#include <numeric>

namespace brio {
namespace {

/// Of each vertex: its number in the coarser graph, which has `count`.
std::vector<int> match(const WeightedGraph& graph, long max_weight, GraphRandom& random, int& count) {
  const int n = graph.vertices();
  std::vector<int> order(n);
  for (int i = 0; i < n; ++i) {
    const int j = random_below(random, i + 1);
    order[i] = order[j];
    order[j] = i;
  }
  std::vector<int> coarse(n, -1);
  count = 0;
  for (const int v : order) {
    if (coarse[v] >= 0) continue;
    int partner = v;
    int heaviest = 0;
    graph.for_neighbors(v, [&](int u, int k) {
      if (coarse[u] >= 0 || graph.edge_weight[k] <= heaviest || graph.weight[v] + graph.weight[u] > max_weight) return;
      partner = u;
      heaviest = graph.edge_weight[k];
    });
    coarse[v] = coarse[partner] = count++;
  }
  return coarse;
}

}  // namespace

long WeightedGraph::total_weight() const { return std::accumulate(weight.begin(), weight.end(), 0L); }

CoarserGraph coarsened(const WeightedGraph& graph, long max_weight, GraphRandom& random) {
  int count = 0;
  CoarserGraph result;
  result.coarse = match(graph, max_weight, random, count);
  std::vector<std::array<int, 2>> members(count, {-1, -1});
  for (int v = 0; v < graph.vertices(); ++v) {
    auto& pair = members[result.coarse[v]];
    pair[pair[0] >= 0 ? 1 : 0] = v;
  }
  WeightedGraph& coarser = result.graph;
  coarser.weight.resize(count, 0);
  coarser.start.reserve(count + 1);
  coarser.adjacent.reserve(graph.adjacent.size());
  coarser.edge_weight.reserve(graph.adjacent.size());
  std::vector<int> place(count, -1);  // of the edge to each, where it is from the vertex at hand
  for (int a = 0; a < count; ++a) {
    const int begin = coarser.start.back();
    for (const int v : members[a]) {
      if (v < 0) continue;
      coarser.weight[a] += graph.weight[v];
      graph.for_neighbors(v, [&](int u, int k) {
        const int b = result.coarse[u];
        if (b == a) return;
        if (place[b] < begin) {
          place[b] = static_cast<int>(coarser.adjacent.size());
          coarser.adjacent.push_back(b);
          coarser.edge_weight.push_back(0);
        }
        coarser.edge_weight[place[b]] += graph.edge_weight[k];
      });
    }
    coarser.start.push_back(static_cast<int>(coarser.adjacent.size()));
  }
  return result;
}

}  // namespace brio
