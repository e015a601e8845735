#include "solvers/linear/dissection.h"

#include <algorithm>
#include <array>

#include "solvers/linear/separator.h"

namespace brio {
namespace {

constexpr int largest_piece = 800;  ///< vertices; minimum degree does as well on those, and faster

WeightedGraph graph_of(const BlockPattern& pattern) {
  const int n = pattern.vertices();
  const auto for_edges = [&](auto&& visit) {
    for (int j = 0; j < n; ++j)
      for (int k = pattern.column_start[j] + 1; k < pattern.column_start[j + 1]; ++k) visit(pattern.row[k], j);
  };
  WeightedGraph graph;
  graph.start.assign(n + 1, 0);
  for_edges([&](int i, int j) {
    ++graph.start[i + 1];
    ++graph.start[j + 1];
  });
  for (int i = 0; i < n; ++i) graph.start[i + 1] += graph.start[i];
  graph.adjacent.resize(graph.start[n]);
  graph.edge_weight.assign(graph.start[n], 1);
  graph.weight.assign(n, 1);
  std::vector<int> end(graph.start.begin(), graph.start.end() - 1);
  for_edges([&](int i, int j) {
    graph.adjacent[end[i]++] = j;
    graph.adjacent[end[j]++] = i;
  });
  return graph;
}

/// A part of the whole graph.
struct Subgraph {
  WeightedGraph graph;
  std::vector<int> vertex;  ///< of the whole
};

/// One for each of `count` labels; vertices with others belong to none.
std::vector<Subgraph> split(const Subgraph& from, const std::vector<int>& label, int count) {
  std::vector<Subgraph> parts(count);
  std::vector<int> place(label.size());
  for (std::size_t v = 0; v < label.size(); ++v) {
    if (label[v] >= count) continue;
    std::vector<int>& vertex = parts[label[v]].vertex;
    place[v] = static_cast<int>(vertex.size());
    vertex.push_back(from.vertex[v]);
  }
  for (int v = 0; v < from.graph.vertices(); ++v) {
    if (label[v] >= count) continue;
    WeightedGraph& graph = parts[label[v]].graph;
    from.graph.for_neighbors(v, [&](int u, int) {
      if (label[u] == label[v]) graph.adjacent.push_back(place[u]);
    });
    graph.start.push_back(static_cast<int>(graph.adjacent.size()));
  }
  for (Subgraph& part : parts) {
    part.graph.weight.assign(part.vertex.size(), 1);
    part.graph.edge_weight.assign(part.graph.adjacent.size(), 1);
  }
  return parts;
}

/// Of each vertex its connected component. There are `count` large ones; `count` itself stands for all small ones.
std::vector<int> components(const WeightedGraph& graph, int& count) {
  std::vector<int> label(graph.vertices(), -1);
  std::vector<int> found;
  std::vector<int> small;
  count = 0;
  for (int first = 0; first < graph.vertices(); ++first) {
    if (label[first] >= 0) continue;
    found.assign(1, first);
    label[first] = count;
    for (std::size_t i = 0; i < found.size(); ++i)
      graph.for_neighbors(found[i], [&](int u, int) {
        if (label[u] >= 0) return;
        label[u] = count;
        found.push_back(u);
      });
    if (found.size() > largest_piece) {
      ++count;
    } else {
      small.insert(small.end(), found.begin(), found.end());
    }
  }
  for (const int v : small) label[v] = count;
  return label;
}

class Dissection {
 public:
  explicit Dissection(int vertices) : piece_(vertices) {}

  void dissect(Subgraph whole) {
    int count = 0;
    const std::vector<int> component = components(whole.graph, count);
    std::vector<int> small;
    for (std::size_t v = 0; v < component.size(); ++v)
      if (component[v] == count) small.push_back(whole.vertex[v]);
    if (!small.empty()) finish(small);
    if (count == 1 && small.empty()) return cut(std::move(whole));
    for (Subgraph& part : split(whole, component, count)) cut(std::move(part));
  }
  std::vector<int> take() { return std::move(piece_); }

 private:
  /// Of a large component.
  void cut(Subgraph whole) {
    const std::size_t n = whole.vertex.size();
    const std::vector<Part> part = separate(whole.graph);
    std::vector<int> label(n);
    std::vector<int> separator;
    std::array<std::size_t, 3> size{};
    for (std::size_t v = 0; v < n; ++v) {
      label[v] = static_cast<int>(part[v]);
      ++size[label[v]];
      if (part[v] == Part::separator) separator.push_back(whole.vertex[v]);
    }
    // Nearly complete graphs have no separator worth its name.
    if (10 * *std::max_element(size.begin(), size.end()) > 9 * n) return finish(whole.vertex);
    std::vector<Subgraph> halves = split(whole, label, 2);
    whole = {};
    for (Subgraph& half : halves) dissect(std::move(half));
    finish(separator);
  }
  void finish(const std::vector<int>& vertices) {
    for (const int v : vertices) piece_[v] = pieces_;
    ++pieces_;
  }

  std::vector<int> piece_;
  int pieces_ = 0;
};

}  // namespace

std::vector<int> dissection(const BlockPattern& pattern) {
  Subgraph whole{.graph = graph_of(pattern), .vertex = std::vector<int>(pattern.vertices())};
  for (int v = 0; v < pattern.vertices(); ++v) whole.vertex[v] = v;
  Dissection result(pattern.vertices());
  result.dissect(std::move(whole));
  return result.take();
}

}  // namespace brio
