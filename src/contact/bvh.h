/// Trees of bounding boxes: what overlaps, what is nearest, in logarithmic time.
///
/// Items are ordered along Morton's curve [Morton 1966] and halved again and again; nodes lie in the order of a
/// depth-first walk, each knowing where its subtree ends, so that a query runs forward through one array without a
/// stack. When items move, boxes are refitted and the tree stays. What is found, and in which order, depends on the
/// boxes alone.
/// Items may have paths, boxes around the displacements of their points in one or more directions: then pairs are found
/// that may touch after any common fractions of them. Only the difference of two paths counts, so that what moves along
/// with its neighbors meets no more of them than at rest.
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
  /// All that this box sweeps, seen from another: their paths differ by what lies between those bounds.
  Box swept(const Box& path, const Box& other) const {
    return {low + (path.low - other.high).cwiseMin(0.0), high + (path.high - other.low).cwiseMax(0.0)};
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
  /// `paths`: of every item, one after the other, as many each; or none.
  explicit Bvh(std::span<const Box> boxes, std::span<const Box> paths = {});

  /// The same items in new places.
  void refit(std::span<const Box> boxes, std::span<const Box> paths = {});

  std::size_t size() const { return item_.size(); }
  /// Around everything.
  Box bounds() const { return nodes_.empty() ? Box{} : nodes_[0].box; }
  /// Around everything on all of its path.
  Box swept_bounds() const {
    return swept(bounds(), node_path_.data(), std::vector<Box>(directions_, {Vec3::Zero(), Vec3::Zero()}).data());
  }

  /// Calls visit(item) for every item whose box overlaps the one given.
  template <class Visit>
  void overlapping(const Box& box, Visit&& visit) const {
    for_leaves(box, nullptr, 0, [&](const Node& leaf) {
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

  /// Items a of this tree and b of the other, either both with paths or none, whose boxes, grown by `inflation` [m] on
  /// each side, overlap and for which keep(a, b): sorted by a, then by b. In parallel, so keep must not write. Throws
  /// TooManyPairs for more than `max_pairs`.
  template <class Keep>
  std::vector<Pair> overlapping_pairs(const Bvh& other, double inflation, Keep&& keep,
                                      std::size_t max_pairs = unlimited) const {
    return collect(max_pairs, [&](const Node& mine, std::vector<Pair>& found) {
      other.for_leaves(mine.box.inflated(inflation), path_of(mine), 0, [&](const Node& theirs) {
        for (int a = mine.first; a < mine.last; ++a) {
          const Box box = box_[a].inflated(inflation);
          for (int b = theirs.first; b < theirs.last; ++b)
            if (meets(box, a, other, b) && keep(item_[a], other.item_[b])) found.push_back({item_[a], other.item_[b]});
        }
      });
    });
  }

  /// Items a < b of this tree, likewise.
  template <class Keep>
  std::vector<Pair> overlapping_pairs(Keep&& keep, std::size_t max_pairs = unlimited) const {
    return collect(max_pairs, [&](const Node& mine, std::vector<Pair>& found) {
      for_leaves(mine.box, path_of(mine), static_cast<int>(&mine - nodes_.data()), [&](const Node& theirs) {
        for (int a = mine.first; a < mine.last; ++a)
          for (int b = &mine == &theirs ? a + 1 : theirs.first; b < theirs.last; ++b)
            if (meets(box_[a], a, *this, b) && keep(std::min(item_[a], item_[b]), std::max(item_[a], item_[b])))
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

  const Box* path_of(const Node& node) const { return node_path_.data() + directions_ * (&node - nodes_.data()); }
  /// All that a box sweeps, seen from another, by paths in all directions.
  Box swept(Box box, const Box* path, const Box* other) const {
    for (std::size_t k = 0; k < directions_; ++k) box = box.swept(path[k], other[k]);
    return box;
  }
  /// Whether the box, of the item at place a, meets that of the item at place b of another tree.
  bool meets(const Box& box, int a, const Bvh& other, int b) const {
    return swept(box, path_.data() + directions_ * a, other.path_.data() + directions_ * b).overlaps(other.box_[b]);
  }

  /// Leaves from node `from` on that a box may meet; `path` is null where nothing moves.
  template <class Visit>
  void for_leaves(const Box& box, const Box* path, int from, Visit&& visit) const {
    const int count = static_cast<int>(nodes_.size());
    for (int k = from; k < count;) {
      const Node& node = nodes_[k];
      const bool enter = (path == nullptr ? box : swept(box, path, path_of(node))).overlaps(node.box);
      if (enter && is_leaf(node)) visit(node);
      k = enter ? k + 1 : node.next;
    }
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
  std::vector<int> item_;       ///< per place
  std::vector<Box> box_;        ///< per place
  std::size_t directions_ = 0;  ///< of paths
  std::vector<Box> path_;       ///< per place
  std::vector<Node> nodes_;
  std::vector<Box> node_path_;  ///< around the paths of a node's items
  std::vector<int> leaves_;     ///< nodes
};

}  // namespace brio
