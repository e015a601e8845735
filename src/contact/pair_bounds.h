/// How far apart pairs of simplices are at least, and by how much they may approach: four pairs at once, to sort out
/// what is far away before it is looked at closely.
///
/// Most candidates are far enough apart for a rough answer. Bounds hold whatever rounding does: where simplices are
/// degenerate or segments next to parallel, they are less sharp, never wrong.
#pragma once

#include <array>

#include "contact/distance.h"

namespace brio {

/// Vertices of a pair, in the order of `nearest`.
using PairVertices = std::array<int, 4>;

/// Distances of pairs of one kind, at least, at x [m]; fewer than four are given by repeating one. -inf for planes.
std::array<double, 4> least_distances(PairKind kind, const PairVertices* const pairs[4], const NodalField& x);
/// By how much they may fall, at most, when vertices move by d: as far as those of either simplex go from the mean [m].
std::array<double, 4> most_approaches(PairKind kind, const PairVertices* const pairs[4], const NodalField& d);

/// Some of a list of pairs, not more than one round looks at, with bounds of their distances.
class PairSieve {
 public:
  static constexpr std::size_t capacity = 1024;

  void clear() { size_ = 0; }
  void add(PairKind kind, const PairVertices& vertices, int what) {
    kind_[size_] = kind;
    vertices_[size_] = &vertices;
    what_[size_++] = what;
  }
  std::size_t size() const { return size_; }
  int what(std::size_t k) const { return what_[k]; }
  /// After measure.
  double distance(std::size_t k) const { return distance_[k]; }
  double approach(std::size_t k) const { return approach_[k]; }

  void measure_distances(const NodalField& x) { measure(x, least_distances, distance_); }
  void measure_approaches(const NodalField& d) { measure(d, most_approaches, approach_); }

 private:
  template <class Bound>
  void measure(const NodalField& field, Bound&& bound, std::array<double, capacity>& result) const {
    for (std::size_t k = 0; k < size_;) {
      const PairVertices* group[4];
      std::size_t count = 0;
      while (count < 4 && k + count < size_ && kind_[k + count] == kind_[k]) {
        group[count] = vertices_[k + count];
        ++count;
      }
      for (std::size_t i = count; i < 4; ++i) group[i] = group[0];
      const std::array<double, 4> found = bound(kind_[k], group, field);
      for (std::size_t i = 0; i < count; ++i) result[k + i] = found[i];
      k += count;
    }
  }

  std::size_t size_ = 0;
  std::array<PairKind, capacity> kind_;
  std::array<const PairVertices*, capacity> vertices_;
  std::array<int, capacity> what_;
  std::array<double, capacity> distance_, approach_;
};

}  // namespace brio
