/// Trees of bounding boxes: what overlaps, what is nearest, in logarithmic time.
///
/// Items are ordered along Morton's curve [Morton 1966] and halved again and again; nodes lie in the order of a
/// depth-first walk, each knowing where its subtree ends, so that a query runs forward through one array without a
/// stack. When items move, boxes are refitted and the tree stays. What is found, and in which order, depends on the
/// boxes alone.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <span>
#include <vector>

#include "brio/math.h"
#include "core/cancellation.h"
#include "core/threads.h"

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

/// Thrown by a search that finds more pairs than it may.
struct TooManyPairs {};

class Bvh {
 public:
  using Pair = std::array<int, 2>;
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

  Bvh() = default;
  explicit Bvh(std::span<const Box> boxes);

  /// The same items in new places.
  void refit(std::span<const Box> boxes);

  std::size_t size() const { return item_.size(); }
  /// Around everything.
  Box bounds() const { return nodes_.empty() ? Box{} : nodes_[0].box; }

  /// Calls visit(item) for every item whose box overlaps the one given.
  template <class Visit>
  void overlapping(const Box& box, Visit&& visit) const {
    for_leaves(box, [&](const Node& leaf) {
      for (int k = leaf.first; k < leaf.last; ++k)
        if (box_[k].overlaps(box)) visit(item_[k]);
    });
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

  /// Items a of this tree and b of the other whose boxes, grown by `inflation` [m] on each side, overlap and for which
  /// keep(a, b): sorted by a, then by b. In parallel, so keep must not write. Throws TooManyPairs for more than
  /// `max_pairs`.
  template <class Keep>
  std::vector<Pair> overlapping_pairs(const Bvh& other, double inflation, Keep&& keep,
                                      std::size_t max_pairs = unlimited) const {
    return collect(max_pairs, [&](const Node& mine, std::vector<Pair>& found) {
      other.for_leaves(mine.box.inflated(inflation), [&](const Node& theirs) {
        for (int a = mine.first; a < mine.last; ++a) {
          const Box box = box_[a].inflated(inflation);
          for (int b = theirs.first; b < theirs.last; ++b)
            if (box.overlaps(other.box_[b]) && keep(item_[a], other.item_[b]))
              found.push_back({item_[a], other.item_[b]});
        }
      });
    });
  }

  /// Items a < b of this tree, likewise.
  template <class Keep>
  std::vector<Pair> overlapping_pairs(Keep&& keep, std::size_t max_pairs = unlimited) const {
    return collect(max_pairs, [&](const Node& mine, std::vector<Pair>& found) {
      for_leaves(mine.box, static_cast<int>(&mine - nodes_.data()), [&](const Node& theirs) {
        for (int a = mine.first; a < mine.last; ++a)
          for (int b = &mine == &theirs ? a + 1 : theirs.first; b < theirs.last; ++b)
            if (box_[a].overlaps(box_[b]) && keep(std::min(item_[a], item_[b]), std::max(item_[a], item_[b])))
              found.push_back({std::min(item_[a], item_[b]), std::max(item_[a], item_[b])});
      });
    });
  }

 private:
  static constexpr int leaf_items = 4;

  struct Node {
    Box box{};
    int next = 0;   ///< the node after this one's subtree
    int first = 0;  ///< places of its items
    int last = 0;
  };
  bool is_leaf(const Node& node) const { return node.last - node.first <= leaf_items; }

  void grow(int first, int last);

  /// Leaves from node `from` on whose boxes overlap the one given.
  template <class Visit>
  void for_leaves(const Box& box, int from, Visit&& visit) const {
    const int count = static_cast<int>(nodes_.size());
    for (int k = from; k < count;) {
      const Node& node = nodes_[k];
      const bool enter = node.box.overlaps(box);
      if (enter && is_leaf(node)) visit(node);
      k = enter ? k + 1 : node.next;
    }
  }
  template <class Visit>
  void for_leaves(const Box& box, Visit&& visit) const {
    for_leaves(box, 0, visit);
  }

  template <class Distance>
  void search(int k, const Vec3& p, double& least, int& found, Distance& squared_distance) const {
    const Node& node = nodes_[k];
    if (is_leaf(node)) {
      for (int place = node.first; place < node.last; ++place) {
        if (!(box_[place].squared_distance(p) < least)) continue;
        const double d2 = squared_distance(item_[place]);
        if (!(d2 < least)) continue;
        least = d2;
        found = item_[place];
      }
      return;
    }
    const int left = k + 1;
    const int right = nodes_[left].next;
    const double d_left = nodes_[left].box.squared_distance(p);
    const double d_right = nodes_[right].box.squared_distance(p);
    const bool left_first = d_left <= d_right;
    if (std::min(d_left, d_right) < least) search(left_first ? left : right, p, least, found, squared_distance);
    if (std::max(d_left, d_right) < least) search(left_first ? right : left, p, least, found, squared_distance);
  }

  template <class Find>
  std::vector<Pair> collect(std::size_t max_pairs, Find&& find) const {
    std::atomic<std::size_t> total = 0;
    std::vector<std::vector<Pair>> parts((leaves_.size() + chunk_leaves - 1) / chunk_leaves);
    parallel_chunks(parts.size(), [&](std::size_t chunk) {
      const std::size_t last = std::min(leaves_.size(), (chunk + 1) * chunk_leaves);
      for (std::size_t k = chunk * chunk_leaves; k < last; ++k) {
        interruption_point();  // a leaf may meet all of the other tree
        const std::size_t before = parts[chunk].size();
        find(nodes_[leaves_[k]], parts[chunk]);
        if (total += parts[chunk].size() - before; total > max_pairs) throw TooManyPairs{};
      }
    });
    return sorted(parts);
  }
  std::vector<Pair> sorted(const std::vector<std::vector<Pair>>& parts) const;

  static constexpr std::size_t chunk_leaves = 64;
  std::vector<int> item_;  ///< per place
  std::vector<Box> box_;   ///< per place
  std::vector<Node> nodes_;
  std::vector<int> leaves_;  ///< nodes
};

}  // namespace brio
