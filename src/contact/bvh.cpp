#include "contact/bvh.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace brio {

Bvh::Bvh(std::span<const Box> boxes, std::span<const Box> paths) : item_(boxes.size()), bounds_(boxes.size()) {
  std::vector<Vec3> centers;
  centers.reserve(boxes.size());
  for (const Box& box : boxes)
    centers.push_back((0.5 * (box.low + box.high)).unaryExpr([](double c) { return std::isfinite(c) ? c : 0; }));
  std::iota(item_.begin(), item_.end(), 0);
  if (!boxes.empty()) grow(0, static_cast<int>(boxes.size()), centers);
  refit(boxes, paths);
}

/// Halves along the longest side of what it holds. Equal places are told apart by number.
void Bvh::grow(int first, int last, const std::vector<Vec3>& centers) {
  const std::size_t own = nodes_.size();
  nodes_.push_back({.first = first, .last = last});
  if (!is_leaf(nodes_[own])) {
    Box all;
    for (int k = first; k < last; ++k) all.include(centers[item_[k]]);
    int axis = 0;
    (all.high - all.low).maxCoeff(&axis);
    const int middle = first + (last - first) / 2;
    std::nth_element(item_.begin() + first, item_.begin() + middle, item_.begin() + last,
                     [&](int a, int b) { return std::pair(centers[a][axis], a) < std::pair(centers[b][axis], b); });
    grow(first, middle, centers);
    grow(middle, last, centers);
  }
  nodes_[own].next = static_cast<int>(nodes_.size());
}

void Bvh::refit(std::span<const Box> boxes, std::span<const Box> paths) {
  directions_ = boxes.empty() ? 0 : paths.size() / boxes.size();
  path_.resize(paths.size());
  node_bounds_.assign(nodes_.size(), {});
  node_path_.assign(directions_ * nodes_.size(), {});
  for (std::size_t k = 0; k < item_.size(); ++k) {
    bounds_[k] = BoxLanes(boxes[item_[k]]);
    for (std::size_t d = 0; d < directions_; ++d)
      path_[directions_ * k + d] = BoxLanes(paths[directions_ * item_[k] + d]);
  }
  for (int k = static_cast<int>(nodes_.size()) - 1; k >= 0; --k) {
    const auto include = [&](const BoxLanes& bounds, const BoxLanes* path) {
      node_bounds_[k].include(bounds);
      for (std::size_t d = 0; d < directions_; ++d) node_path_[directions_ * k + d].include(path[d]);
    };
    if (const Node& node = nodes_[k]; is_leaf(node)) {
      for (int place = node.first; place < node.last; ++place)
        include(bounds_[place], path_.data() + directions_ * place);
    } else {
      for (const int child : children(k)) include(node_bounds_[child], node_path_.data() + directions_ * child);
    }
  }
}

Box Bvh::swept_bounds() const {
  if (nodes_.empty()) return {};
  BoxLanes swept = node_bounds_[0];
  for (std::size_t d = 0; d < directions_; ++d) {
    swept.low += min(node_path_[d].low, Doubles(0.0));
    swept.minus_high += min(node_path_[d].minus_high, Doubles(0.0));
  }
  return swept.box();
}

/// Counted into place by their first items; then each item's few partners are sorted.
std::vector<Bvh::Pair> Bvh::sorted(const std::vector<std::vector<Pair>>& parts) const {
  std::vector<std::size_t> start(item_.size() + 1);
  for (const auto& part : parts)
    for (const Pair& pair : part) ++start[pair[0] + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<Pair> all(start.back());
  std::vector<std::size_t> place(start.begin(), start.end() - 1);
  for (const auto& part : parts)
    for (const Pair& pair : part) all[place[pair[0]]++] = pair;
  for (std::size_t a = 0; a < item_.size(); ++a)
    std::sort(all.begin() + static_cast<std::ptrdiff_t>(start[a]),
              all.begin() + static_cast<std::ptrdiff_t>(start[a + 1]));
  return all;
}

}  // namespace brio
