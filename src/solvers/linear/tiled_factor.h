/// A supernodal factor laid out for solving L Lᵀ x = b with three right-hand sides at once, as fast as it can be read.
///
/// Panels are stored in tiles as high as a SIMD register (in pairs where there are two), so that both sweeps read them
/// front to back; diagonal blocks are stored inverted, so that no row waits for another. Rows of the right-hand sides
/// are padded to four numbers. Groups of subtrees run in parallel, each with its own copy of the top's rows; what they
/// added there is summed in a fixed order. Then the few large supernodes of the top share their tiles.
/// In single precision half as much is read: enough for preconditioners and for iterations that correct themselves.
#pragma once

#include <span>

#include "brio/math.h"
#include "core/large_vector.h"
#include "math/lanes.h"
#include "solvers/linear/supernodes.h"

namespace brio {

template <class Scalar>
class TiledFactor {
 public:
  explicit TiledFactor(Supernodes supernodes);

  /// Takes over the numbers of a factor of this shape.
  void fill(const double* values);
  /// x = L⁻ᵀ L⁻¹ b, where column k of L belongs to row order[k] of the fields, which may be one.
  void solve(const NodalField& b, std::span<const int> order, NodalField& x);
  std::size_t bytes() const { return values_.size() * sizeof(Scalar); }

 private:
  static constexpr int W = static_cast<int>(32 / sizeof(Scalar));
  using V = Lanes<Scalar, W>;
  struct Scratch {
    LargeVector<Scalar> rows;  ///< of the supernode at hand
    LargeVector<V> sums;       ///< three per column
  };
  struct Tiles {
    int first, last;
  };

  Tiles panel_tiles(int s) const { return {0, (supernodes_.below(s) + W - 1) / W}; }
  Tiles diagonal_tiles(int s) const { return {0, (supernodes_.columns(s) + W - 1) / W}; }
  Scalar* column_rows(int s) { return y_.data() + 4 * static_cast<std::size_t>(supernodes_.first[s]); }

  void forward(int s, Scratch& scratch);
  void backward(int s, Scratch& scratch);
  void forward_shared(int s);
  void backward_shared(int s);
  void forward_diagonal(int s, const Scalar* in, Scalar* out, Tiles tiles) const;
  void forward_panel(int s, const Scalar* in, Tiles tiles);
  void backward_panel(int s, V* sums, Tiles tiles) const;
  void backward_diagonal(int s, const Scalar* in, V* sums, Tiles tiles) const;
  void collect(int s, std::span<Scratch> parts, const Scalar* minuend, Scalar* out) const;

  Supernodes supernodes_;
  Subtrees subtrees_;
  std::vector<std::size_t> diagonal_;  ///< of each supernode: where its inverted diagonal block starts
  std::vector<std::size_t> panel_;     ///< where its panel starts
  std::vector<std::size_t> padded_;    ///< where its padded rows start
  std::vector<int> rows_to_;           ///< rows of y that the forward sweep adds to
  std::vector<int> rows_from_;         ///< rows of y that the backward sweep reads
  std::vector<int> top_columns_;       ///< columns of the top
  LargeVector<Scalar> values_;
  LargeVector<Scalar> y_;  ///< columns; copies of the top's for every group but the first; one row of nothing per group
  std::vector<Scratch> scratch_;
};

extern template class TiledFactor<float>;
extern template class TiledFactor<double>;

}  // namespace brio
