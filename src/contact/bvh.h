/// Trees of bounding boxes: what overlaps, what is nearest, in logarithmic time.
///
/// Items are halved again and again, along the longest side of what is left; nodes lie in the order of a
/// depth-first walk, each knowing where its subtree ends. When items move, boxes are refitted and the tree stays. Pairs
/// are found by walking two trees at once, so that what lies far apart is left out by large boxes. What is found, and
/// in which order, depends on the boxes alone. Items may have paths, boxes around the displacements of their points in
/// one or more directions: then pairs are found that may touch after any common fractions of them. Only the difference
/// of two paths counts, so that what moves along with its neighbors meets no more of them than at rest.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <concepts>
#include <limits>
#include <span>
#include <vector>

#include "brio/math.h"
#include "core/cancellation.h"
#include "core/threads.h"
#include "math/lanes.h"

namespace brio {

/// Empty until something is included.
struct Box {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());    ///< [m]
  Vec3 high = Vec3::Constant(-std::numeric_limits<double>::infinity());  ///< [m]

  void include(const Vec3& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  void include(const Box& box) {
    low = low.cwiseMin(box.low);
    high = high.cwiseMax(box.high);
  }
  Box inflated(double by) const { return {low.array() - by, high.array() + by}; }
  /// Touching counts.
  bool overlaps(const Box& b) const {
    return (low.array() <= b.high.array()).all() && (b.low.array() <= high.array()).all();
  }
  double squared_distance(const Vec3& p) const {
    return (low - p).cwiseMax(p - high).cwiseMax(0.0).squaredNorm();
  }  ///< [m²]
};

/// A box as it is compared: with low and -high, gaps between two boxes are sums, and both sides are alike.
struct BoxLanes {
  Doubles low{std::numeric_limits<double>::infinity()}, minus_high{std::numeric_limits<double>::infinity()};

  BoxLanes() = default;
  explicit BoxLanes(const Box& box)
      : low(Doubles::Raw{box.low.x(), box.low.y(), box.low.z(), 0}),
        minus_high(Doubles::Raw{-box.high.x(), -box.high.y(), -box.high.z(), 0}) {}

  void include(const BoxLanes& b) {
    low = min(low, b.low);
    minus_high = min(minus_high, b.minus_high);
  }
  Box box() const { return {{low[0], low[1], low[2]}, {-minus_high[0], -minus_high[1], -minus_high[2]}}; }
  double squared_distance(const Vec3& p) const {
    const Doubles at(Doubles::Raw{p.x(), p.y(), p.z(), 0});
    const Doubles d = max(max(low - at, minus_high + at), Doubles(0.0));
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  }  ///< [m²]
};

/// Thrown by a search that finds more pairs than it may.
struct TooManyPairs {};

class Bvh {
 public:
  using Pair = std::array<int, 2>;
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

  Bvh() = default;
  /// `paths`: of every item, one after the other, as many each; or none.
  explicit Bvh(std::span<const Box> boxes, std::span<const Box> paths = {});

  /// The same items in new places.
  void refit(std::span<const Box> boxes, std::span<const Box> paths = {});

  std::size_t size() const { return item_.size(); }
  /// Around everything.
  Box bounds() const { return nodes_.empty() ? Box{} : node_bounds_[0].box(); }
  /// Around everything on all of its path.
  Box swept_bounds() const;

  /// Calls visit(item) for every item whose box overlaps the one given.
  template <class Visit>
  void overlapping(const Box& box, Visit&& visit) const {
    const BoxLanes bounds(box);
    const int count = static_cast<int>(nodes_.size());
    for (int k = 0; k < count;) {
      const Node& node = nodes_[k];
      const bool enter = gap_at_most(bounds, node_bounds_[k], 0);
      if (enter && is_leaf(node))
        for (int place = node.first; place < node.last; ++place)
          if (gap_at_most(bounds, bounds_[place], 0)) visit(item_[place]);
      k = enter ? k + 1 : node.next;
    }
  }

  /// The item nearest to p among those nearer than sqrt(least), which becomes its squared distance; -1 when there is
  /// none. squared_distance(item) [m²] is asked only of items whose boxes are near enough. Of equals the one found
  /// first counts.
  template <class Distance>
  int nearest(const Vec3& p, double& least, Distance&& squared_distance) const {
    int found = -1;
    if (!nodes_.empty()) search(0, p, least, found, squared_distance);
    return found;
  }

  /// Nothing more to sort out.
  struct KeepAll {
    void operator()(std::vector<Pair>&) const {}
  };
  /// Nothing is known of two nodes that their boxes do not tell.
  struct NoneApart {
    bool operator()(int, int) const { return false; }
  };

  /// What is known of items, joined for every node.
  template <class Item, class Join>
  std::vector<Item> of_nodes(std::span<const Item> items, Join&& join) const {
    std::vector<Item> all(nodes_.size());
    for (int k = static_cast<int>(nodes_.size()) - 1; k >= 0; --k) {
      if (const Node& node = nodes_[k]; is_leaf(node)) {
        all[k] = items[item_[node.first]];
        for (int place = node.first + 1; place < node.last; ++place) all[k] = join(all[k], items[item_[place]]);
      } else {
        const auto [left, right] = children(k);
        all[k] = join(all[left], all[right]);
      }
    }
    return all;
  }

  /// Items a of this tree and b of the other, either both with paths or none, whose boxes, grown by `inflation` [m] on
  /// each side, overlap and for which keep(a, b): sorted by a, then by b. `sift` may remove more from many at once, and
  /// nodes that are `apart` are passed over with all that they hold. In parallel, so none must write elsewhere. Throws
  /// TooManyPairs for more than `max_pairs`.
  template <class Keep, class Sift = KeepAll, class Apart = NoneApart>
  std::vector<Pair> overlapping_pairs(const Bvh& other, double inflation, Keep&& keep,
                                      std::size_t max_pairs = unlimited, Sift&& sift = {}, Apart&& apart = {}) const {
    std::vector<Pair> tasks;
    if (!nodes_.empty() && !other.nodes_.empty()) split(other, {0, 0}, inflation, apart, tasks);
    return collect(tasks, max_pairs, sift, [&](const Pair& task, std::vector<Pair>& found) {
      walk(other, task, inflation, 0, apart, [&](const Pair& leaves) {
        const Node &mine = nodes_[leaves[0]], &theirs = other.nodes_[leaves[1]];
        for (int a = mine.first; a < mine.last; ++a)
          for (int b = theirs.first; b < theirs.last; ++b)
            if (meets(a, other, b, inflation) && keep(item_[a], other.item_[b]))
              found.push_back({item_[a], other.item_[b]});
      });
    });
  }

  /// Items a < b of this tree, likewise.
  template <std::invocable<int, int> Keep, class Sift = KeepAll, class Apart = NoneApart>
  std::vector<Pair> overlapping_pairs(Keep&& keep, std::size_t max_pairs = unlimited, Sift&& sift = {},
                                      Apart&& apart = {}) const {
    std::vector<Pair> tasks;
    if (!nodes_.empty()) split(0, apart, tasks);
    return collect(tasks, max_pairs, sift, [&](const Pair& task, std::vector<Pair>& found) {
      const auto visit = [&](const Pair& leaves) {
        const Node &mine = nodes_[leaves[0]], &theirs = nodes_[leaves[1]];
        for (int a = mine.first; a < mine.last; ++a)
          for (int b = leaves[0] == leaves[1] ? a + 1 : theirs.first; b < theirs.last; ++b)
            if (const auto [i, j] = std::minmax(item_[a], item_[b]); meets(a, *this, b, 0) && keep(i, j))
              found.push_back({i, j});
      };
      if (task[0] == task[1])
        walk_within(task[0], apart, visit);
      else
        walk(*this, task, 0, 0, apart, visit);
    });
  }

 private:
  static constexpr int leaf_items = 2;
  static constexpr int task_items = 256;  ///< of a node that is walked by one thread

  struct Node {
    int next = 0;   ///< the node after this one's subtree
    int first = 0;  ///< places of its items
    int last = 0;
    int items() const { return last - first; }
  };
  static bool is_leaf(const Node& node) { return node.items() <= leaf_items; }
  Pair children(int k) const { return {k + 1, nodes_[k + 1].next}; }

  void grow(int first, int last, const std::vector<Vec3>& centers);

  static bool none_above(Doubles gap, Doubles limit) {
#if defined(BRIO_AVX2)
    return _mm256_movemask_pd(_mm256_cmp_pd(gap.raw, limit.raw, _CMP_GT_OQ)) == 0;
#else
    return !any(gap > limit);
#endif
  }
  static bool gap_at_most(const BoxLanes& a, const BoxLanes& b, double limit) {
    return none_above(max(a.low + b.minus_high, b.low + a.minus_high), Doubles(limit));
  }
  /// The same after any common fractions of their paths.
  static bool gap_at_most(const BoxLanes& a, const BoxLanes* path, const BoxLanes& b, const BoxLanes* other,
                          std::size_t directions, double limit) {
    Doubles below = a.low + b.minus_high, above = b.low + a.minus_high;
    for (std::size_t k = 0; k < directions; ++k) {
      below += min(path[k].low + other[k].minus_high, Doubles(0.0));
      above += min(other[k].low + path[k].minus_high, Doubles(0.0));
    }
    return none_above(max(below, above), Doubles(limit));
  }
  /// Whether items at two places meet.
  bool meets(int a, const Bvh& other, int b, double inflation) const {
    return gap_at_most(bounds_[a], path_.data() + directions_ * a, other.bounds_[b],
                       other.path_.data() + directions_ * b, directions_, inflation);
  }
  bool nodes_meet(int a, const Bvh& other, int b, double inflation) const {
    return gap_at_most(node_bounds_[a], node_path_.data() + directions_ * a, other.node_bounds_[b],
                       other.node_path_.data() + directions_ * b, directions_, inflation);
  }

  /// Visits pairs of nodes that meet and have no more than so many items each, or are leaves.
  template <class Apart, class Visit>
  void walk(const Bvh& other, const Pair& pair, double inflation, int items, Apart&& apart, Visit&& visit) const {
    const auto [a, b] = pair;
    if (!nodes_meet(a, other, b, inflation) || apart(a, b)) return;
    const Node &mine = nodes_[a], &theirs = other.nodes_[b];
    const bool done = is_leaf(mine) || mine.items() <= items, other_done = is_leaf(theirs) || theirs.items() <= items;
    if (done && other_done) return visit(pair);
    if (other_done || (!done && mine.items() >= theirs.items())) {
      for (const int child : children(a)) walk(other, {child, b}, inflation, items, apart, visit);
    } else {
      for (const int child : other.children(b)) walk(other, {a, child}, inflation, items, apart, visit);
    }
  }
  template <class Apart, class Visit>
  void walk_within(int k, Apart&& apart, Visit&& visit) const {
    if (apart(k, k)) return;
    if (is_leaf(nodes_[k])) return visit(Pair{k, k});
    const auto [left, right] = children(k);
    walk_within(left, apart, visit);
    walk_within(right, apart, visit);
    walk(*this, {left, right}, 0, 0, apart, visit);
  }
  /// What threads walk: pairs of nodes, or twice the same one.
  template <class Apart>
  void split(const Bvh& other, const Pair& pair, double inflation, Apart&& apart, std::vector<Pair>& tasks) const {
    walk(other, pair, inflation, task_items, apart, [&](const Pair& task) { tasks.push_back(task); });
  }
  template <class Apart>
  void split(int k, Apart&& apart, std::vector<Pair>& tasks) const {
    if (apart(k, k)) return;
    if (is_leaf(nodes_[k]) || nodes_[k].items() <= task_items) return tasks.push_back({k, k});
    const auto [left, right] = children(k);
    split(left, apart, tasks);
    split(right, apart, tasks);
    split(*this, {left, right}, 0, apart, tasks);
  }

  template <class Distance>
  void search(int k, const Vec3& p, double& least, int& found, Distance& squared_distance) const {
    const Node& node = nodes_[k];
    if (is_leaf(node)) {
      for (int place = node.first; place < node.last; ++place) {
        if (!(bounds_[place].squared_distance(p) < least)) continue;
        const double d2 = squared_distance(item_[place]);
        if (!(d2 < least)) continue;
        least = d2;
        found = item_[place];
      }
      return;
    }
    const auto [left, right] = children(k);
    const double d_left = node_bounds_[left].squared_distance(p);
    const double d_right = node_bounds_[right].squared_distance(p);
    const bool left_first = d_left <= d_right;
    if (std::min(d_left, d_right) < least) search(left_first ? left : right, p, least, found, squared_distance);
    if (std::max(d_left, d_right) < least) search(left_first ? right : left, p, least, found, squared_distance);
  }

  template <class Sift, class Find>
  std::vector<Pair> collect(const std::vector<Pair>& tasks, std::size_t max_pairs, Sift&& sift, Find&& find) const {
    std::atomic<std::size_t> total = 0;
    std::vector<std::vector<Pair>> parts(tasks.size());
    parallel_chunks(tasks.size(), [&](std::size_t k) {
      interruption_point();
      find(tasks[k], parts[k]);
      sift(parts[k]);
      if (total += parts[k].size(); total > max_pairs) throw TooManyPairs{};
    });
    return sorted(parts);
  }
  std::vector<Pair> sorted(const std::vector<std::vector<Pair>>& parts) const;

  std::vector<int> item_;         ///< per place
  std::vector<BoxLanes> bounds_;  ///< per place
  std::size_t directions_ = 0;    ///< of paths
  std::vector<BoxLanes> path_;    ///< per place
  std::vector<Node> nodes_;
  std::vector<BoxLanes> node_bounds_;
  std::vector<BoxLanes> node_path_;  ///< around the paths of a node's items
};

}  // namespace brio
