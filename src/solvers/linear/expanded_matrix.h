/// A symmetric matrix of blocks as the scalar, column-compressed lower triangle that factorization libraries read, its
/// vertices in a chosen order. The pattern is expanded once; new values are copied through a map.
#pragma once

#include <span>
#include <vector>

#include "core/large_vector.h"
#include "math/block_matrix.h"

namespace brio {

class ExpandedMatrix {
 public:
  /// `order[k]` is the vertex that comes k-th. Blocks are `width` x `width`: 1 or 3.
  ExpandedMatrix(const BlockPattern& pattern, std::span<const int> order, int width);

  /// `values`: width² numbers per block of the pattern, row by row.
  void fill(std::span<const double> values);

  int size() const { return static_cast<int>(start_.size()) - 1; }
  int* start() { return start_.data(); }
  int* row() { return row_.data(); }
  double* value() { return value_.data(); }
  std::size_t entries() const { return row_.size(); }

 private:
  int width_;
  std::vector<int> block_start_;  ///< per block column: its sources
  std::vector<int> source_;       ///< twice the block of the pattern, plus one where its vertices are reversed
  std::vector<int> start_, row_;
  LargeVector<double> value_;
};

}  // namespace brio
