#include "solvers/linear/separator.h"

#include <algorithm>
#include <array>

#include "core/cancellation.h"

namespace brio {
namespace {

constexpr int fewest_coarse = 100;      ///< vertices that are separated without coarser ones
constexpr int tries = 8;                ///< of which the best is refined
constexpr int max_passes = 6;           ///< of refinement at each level
constexpr double largest_part = 0.67;   ///< of the weight of all
constexpr std::size_t max_detour = 80;  ///< moves in a row that improve nothing

int index(Part part) { return static_cast<int>(part); }
Part other(Part side) { return side == Part::first ? Part::second : Part::first; }

/// Moves vertices out of the separator, each with what it draws in from the other side, as long as that pays in the
/// end: the separator may grow on the way.
class Refinement {
 public:
  Refinement(const WeightedGraph& graph, std::vector<Part>& part)
      : graph_(graph), part_(part), drawn_(graph.vertices()), moved_in_(graph.vertices(), 0) {
    for (int v = 0; v < graph.vertices(); ++v) {
      weight_[index(part[v])] += graph.weight[v];
      if (part[v] == Part::separator) members_.push_back(v);
    }
    max_part_ = static_cast<long>(largest_part * static_cast<double>(weight_[0] + weight_[1] + weight_[2]));
  }
  /// Less is better: the weight of the separator, with a penalty for a part that is too large; then balance.
  using Cost = std::array<long, 2>;
  Cost cost() const {
    const long larger = std::max(weight_[0], weight_[1]);
    return {weight_[2] + 2 * std::max(0L, larger - max_part_), larger};
  }
  void run() {
    for (int pass = 0; pass < max_passes; ++pass) {
      interruption_point();
      if (!improve()) return;
    }
  }

 private:
  struct Move {
    int vertex;
    Part side;
    std::size_t drawn_in;  ///< how many have been drawn in since the pass began, by this and those before
  };

  /// By how much the separator gets lighter.
  int gain(int v, Part side) const { return graph_.weight[v] - drawn_[v][index(other(side))]; }

  void weigh_neighbors(int v) {
    drawn_[v] = {0, 0};
    graph_.for_neighbors(v, [&](int u, int) {
      if (part_[u] != Part::separator) drawn_[v][index(part_[u])] += graph_.weight[u];
    });
  }

  void offer(int v, Part side) {
    if (moved_in_[v] == pass_) return;
    auto& heap = offers_[index(side)];
    heap.emplace_back(gain(v, side), v);
    std::push_heap(heap.begin(), heap.end());
  }

  /// Whether there is a vertex to move to this side; the best is then in front. Offers that no longer hold are dropped.
  bool has_offer(Part side) {
    auto& heap = offers_[index(side)];
    while (!heap.empty()) {
      const auto [promised, v] = heap.front();
      if (part_[v] == Part::separator && moved_in_[v] != pass_ && promised == gain(v, side))
        return weight_[index(side)] + graph_.weight[v] <= max_part_ ||
               weight_[index(side)] < weight_[index(other(side))];
      std::pop_heap(heap.begin(), heap.end());
      heap.pop_back();
    }
    return false;
  }

  void put(int v, Part part) {
    weight_[index(part_[v])] -= graph_.weight[v];
    weight_[index(part)] += graph_.weight[v];
    part_[v] = part;
  }

  void draw_in(int u, Part from) {
    put(u, Part::separator);
    drawn_in_.push_back(u);
    members_.push_back(u);
    weigh_neighbors(u);
    graph_.for_neighbors(u, [&](int w, int) {
      if (part_[w] != Part::separator) return;
      drawn_[w][index(from)] -= graph_.weight[u];
      offer(w, other(from));
    });
    offer(u, Part::first);
    offer(u, Part::second);
  }

  void move(int v, Part side) {
    put(v, side);
    moved_in_[v] = pass_;
    graph_.for_neighbors(v, [&](int u, int) {
      if (part_[u] == Part::separator) {
        drawn_[u][index(side)] += graph_.weight[v];
        offer(u, other(side));
      } else if (part_[u] == other(side)) {
        draw_in(u, other(side));
      }
    });
    moves_.push_back({v, side, drawn_in_.size()});
  }

  void take_back() {
    const Move last = moves_.back();
    moves_.pop_back();
    while (drawn_in_.size() > (moves_.empty() ? 0 : moves_.back().drawn_in)) {
      put(drawn_in_.back(), other(last.side));
      drawn_in_.pop_back();
    }
    put(last.vertex, Part::separator);
    members_.push_back(last.vertex);
  }

  void begin_pass() {
    ++pass_;
    std::sort(members_.begin(), members_.end());
    members_.erase(std::unique(members_.begin(), members_.end()), members_.end());
    std::erase_if(members_, [&](int v) { return part_[v] != Part::separator; });
    moves_.clear();
    drawn_in_.clear();
    for (auto& heap : offers_) heap.clear();
    for (const int v : members_) {
      weigh_neighbors(v);
      offer(v, Part::first);
      offer(v, Part::second);
    }
  }

  bool improve() {
    begin_pass();
    const std::size_t patience = std::min(members_.size() + 10, max_detour);
    const Cost before = cost();
    Cost best = before;
    std::size_t best_moves = 0;
    while (moves_.size() <= best_moves + patience) {
      const bool to_first = has_offer(Part::first);
      const bool to_second = has_offer(Part::second);
      if (!to_first && !to_second) break;
      Part side = to_first ? Part::first : Part::second;
      if (to_first && to_second) {
        const int difference = offers_[0].front().first - offers_[1].front().first;
        const bool first = difference > 0 || (difference == 0 && weight_[0] <= weight_[1]);
        side = first ? Part::first : Part::second;
      }
      move(offers_[index(side)].front().second, side);
      if (cost() < best) {
        best = cost();
        best_moves = moves_.size();
      }
    }
    while (moves_.size() > best_moves) take_back();
    return best < before;
  }

  const WeightedGraph& graph_;
  std::vector<Part>& part_;
  std::array<long, 3> weight_{};
  long max_part_;
  std::vector<std::array<int, 2>> drawn_;  ///< of vertices in the separator: the weight of neighbors in either part
  std::vector<int> moved_in_;              ///< the pass in which it was moved last: once in each
  int pass_ = 0;
  std::vector<int> members_;  ///< of the separator, and some that were
  std::vector<int> drawn_in_;
  std::vector<Move> moves_;
  std::array<std::vector<std::pair<int, int>>, 2> offers_;  ///< (gain, vertex): heaps, one for each side
};

/// Half of the graph around a random vertex, its rim the separator.
std::vector<Part> grown(const WeightedGraph& graph, GraphRandom& random) {
  const int n = graph.vertices();
  std::vector<Part> part(n, Part::second);
  std::vector<char> seen(n, 0);
  std::vector<int> queue;
  queue.reserve(n);
  const auto see = [&](int v) {
    if (!seen[v]) queue.push_back(v);
    seen[v] = 1;
  };
  const long half = graph.total_weight() / 2;
  long inside = 0;
  for (std::size_t i = 0; inside < half; ++i) {
    if (i == queue.size()) {
      int v = random_below(random, n);
      while (seen[v]) v = (v + 1) % n;
      see(v);
    }
    const int v = queue[i];
    part[v] = Part::first;
    inside += graph.weight[v];
    graph.for_neighbors(v, [&](int u, int) { see(u); });
  }
  for (int v = 0; v < n; ++v) {
    if (part[v] != Part::first) continue;
    graph.for_neighbors(v, [&](int u, int) {
      if (part[u] == Part::second) part[v] = Part::separator;
    });
  }
  return part;
}

std::vector<Part> best_of_some(const WeightedGraph& graph, GraphRandom& random) {
  std::vector<Part> best;
  Refinement::Cost least{};
  for (int i = 0; i < tries; ++i) {
    std::vector<Part> part = grown(graph, random);
    Refinement refinement(graph, part);
    refinement.run();
    if (!best.empty() && refinement.cost() >= least) continue;
    least = refinement.cost();
    best = std::move(part);
  }
  return best;
}

std::vector<Part> multilevel(const WeightedGraph& graph, GraphRandom& random) {
  interruption_point();
  const int n = graph.vertices();
  if (n <= fewest_coarse) return best_of_some(graph, random);
  const CoarserGraph coarser = coarsened(graph, std::max(2L, 3 * graph.total_weight() / (2 * fewest_coarse)), random);
  if (20 * static_cast<long>(coarser.graph.vertices()) > 19 * static_cast<long>(n)) return best_of_some(graph, random);
  const std::vector<Part> rough = multilevel(coarser.graph, random);
  std::vector<Part> part(n);
  for (int v = 0; v < n; ++v) part[v] = rough[coarser.coarse[v]];
  Refinement(graph, part).run();
  return part;
}

}  // namespace

std::vector<Part> separate(const WeightedGraph& graph) {
  GraphRandom random(1);
  return multilevel(graph, random);
}

}  // namespace brio
