#include "solvers/linear/tiled_factor.h"

#include <algorithm>
#include <cstring>

#include "math/nodal_ops.h"

namespace brio {
namespace {

/// Four numbers: a row of three right-hand sides.
template <class Scalar>
struct RowOf;
template <>
struct RowOf<double> {
  // NOLINTNEXTLINE(modernize-use-using): the attribute goes with typedef
  typedef double Type __attribute__((vector_size(32)));
};
template <>
struct RowOf<float> {
  // NOLINTNEXTLINE(modernize-use-using)
  typedef float Type __attribute__((vector_size(16)));
};

template <class Scalar>
BRIO_INLINE typename RowOf<Scalar>::Type& row_at(Scalar* y, int row) {
  return *reinterpret_cast<typename RowOf<Scalar>::Type*>(y + 4 * static_cast<std::size_t>(row));
}
template <class Scalar>
BRIO_INLINE const typename RowOf<Scalar>::Type& row_at(const Scalar* y, int row) {
  return *reinterpret_cast<const typename RowOf<Scalar>::Type*>(y + 4 * static_cast<std::size_t>(row));
}

template <class V>
BRIO_INLINE V lanes_at(const typename V::Scalar* place) {
  return V(*reinterpret_cast<const typename V::Raw*>(place));
}

/// Component c of the rows given goes to lanes of out[c].
BRIO_INLINE void gather(const double* y, const int* rows, Doubles out[3]) {
  Doubles r[4];
  for (int l = 0; l < 4; ++l) r[l] = Doubles(row_at(y, rows[l]));
  transpose(r);
  for (int c = 0; c < 3; ++c) out[c] = r[c];
}
BRIO_INLINE void gather(const float* y, const int* rows, Floats out[3]) {
  Floats::Raw q[4];
  for (int l = 0; l < 4; ++l)
    q[l] = __builtin_shufflevector(row_at(y, rows[l]), row_at(y, rows[l + 4]), 0, 1, 2, 3, 4, 5, 6, 7);
  const Floats::Raw low0 = __builtin_shufflevector(q[0], q[1], 0, 8, 1, 9, 4, 12, 5, 13);
  const Floats::Raw low1 = __builtin_shufflevector(q[2], q[3], 0, 8, 1, 9, 4, 12, 5, 13);
  const Floats::Raw high0 = __builtin_shufflevector(q[0], q[1], 2, 10, 3, 11, 6, 14, 7, 15);
  const Floats::Raw high1 = __builtin_shufflevector(q[2], q[3], 2, 10, 3, 11, 6, 14, 7, 15);
  out[0] = Floats(Floats::Raw(__builtin_shufflevector(low0, low1, 0, 1, 8, 9, 4, 5, 12, 13)));
  out[1] = Floats(Floats::Raw(__builtin_shufflevector(low0, low1, 2, 3, 10, 11, 6, 7, 14, 15)));
  out[2] = Floats(Floats::Raw(__builtin_shufflevector(high0, high1, 0, 1, 8, 9, 4, 5, 12, 13)));
}

/// The reverse, subtracted.
BRIO_INLINE void subtract(double* y, const int* rows, const Doubles a[3]) {
  Doubles r[4] = {a[0], a[1], a[2], Doubles(0.0)};
  transpose(r);
  for (int l = 0; l < 4; ++l) row_at(y, rows[l]) -= r[l].raw;
}
BRIO_INLINE void subtract(float* y, const int* rows, const Floats a[3]) {
  const Floats::Raw zero{};
  const Floats::Raw ab0 = __builtin_shufflevector(a[0].raw, a[1].raw, 0, 8, 1, 9, 4, 12, 5, 13);
  const Floats::Raw ab1 = __builtin_shufflevector(a[0].raw, a[1].raw, 2, 10, 3, 11, 6, 14, 7, 15);
  const Floats::Raw c0 = __builtin_shufflevector(a[2].raw, zero, 0, 8, 1, 9, 4, 12, 5, 13);
  const Floats::Raw c1 = __builtin_shufflevector(a[2].raw, zero, 2, 10, 3, 11, 6, 14, 7, 15);
  const Floats::Raw q[4] = {__builtin_shufflevector(ab0, c0, 0, 1, 8, 9, 4, 5, 12, 13),
                            __builtin_shufflevector(ab0, c0, 2, 3, 10, 11, 6, 7, 14, 15),
                            __builtin_shufflevector(ab1, c1, 0, 1, 8, 9, 4, 5, 12, 13),
                            __builtin_shufflevector(ab1, c1, 2, 3, 10, 11, 6, 7, 14, 15)};
  for (int l = 0; l < 4; ++l) {
    row_at(y, rows[l]) -= __builtin_shufflevector(q[l], q[l], 0, 1, 2, 3);
    row_at(y, rows[l + 4]) -= __builtin_shufflevector(q[l], q[l], 4, 5, 6, 7);
  }
}

/// Inverse of the lower triangle of the first columns of a panel.
void invert(const double* panel, int columns, std::size_t height, std::vector<double>& inverse) {
  const auto n = static_cast<std::size_t>(columns);
  inverse.assign(n * n, 0);
  for (std::size_t j = 0; j < n; ++j) {
    double* column = inverse.data() + j * n;
    column[j] = 1 / panel[j * height + j];
    for (std::size_t k = j; k < n; ++k) {  // forward substitution, column by column
      if (k > j) column[k] /= panel[k * height + k];
      for (std::size_t i = k + 1; i < n; ++i) column[i] -= panel[k * height + i] * column[k];
    }
  }
}

constexpr std::size_t parallel_size =
    1 << 17;                          ///< numbers of a factor below which waking threads costs more than they save
constexpr int shared_size = 1 << 16;  ///< numbers of a top supernode from which its tiles are shared among threads
constexpr int parts = 4;              ///< into which they are cut; fixed, as sums are cut along

/// Part p of the tiles, at even bounds, so that pairs stay together.
int cut(int tiles, int p) { return p == parts ? tiles : tiles * p / parts / 2 * 2; }

}  // namespace

template <class Scalar>
TiledFactor<Scalar>::TiledFactor(Supernodes supernodes)
    : supernodes_(std::move(supernodes)),
      subtrees_(distribute(supernodes_)),
      scratch_(std::max(Subtrees::groups, parts)) {
  const int count = supernodes_.count();
  const int n = supernodes_.first.back();
  std::vector<int> top_place(n, -1);
  for (const int s : subtrees_.members[Subtrees::top])
    for (int j = supernodes_.first[s]; j < supernodes_.first[s + 1]; ++j) {
      top_place[j] = static_cast<int>(top_columns_.size());
      top_columns_.push_back(j);
    }
  const int top_size = static_cast<int>(top_columns_.size());
  const int nothing = n + (Subtrees::groups - 1) * top_size;
  y_.resize(4 * static_cast<std::size_t>(nothing + Subtrees::groups + 1));

  std::size_t size = 0;
  int widest = 0;
  std::size_t padded = 0;
  for (int s = 0; s < count; ++s) padded += static_cast<std::size_t>(panel_tiles(s).last) * W;
  rows_to_.reserve(padded);
  rows_from_.reserve(padded);
  for (int s = 0; s < count; ++s) {
    const int columns = supernodes_.columns(s);
    const int tiles = diagonal_tiles(s).last;
    widest = std::max(widest, columns);
    diagonal_.push_back(size);
    // All tiles but the last are as wide as they reach down.
    size += static_cast<std::size_t>(W) * W * (tiles - 1) * tiles / 2 + static_cast<std::size_t>(W) * columns;
    panel_.push_back(size);
    size += static_cast<std::size_t>(panel_tiles(s).last) * W * columns;
    padded_.push_back(rows_to_.size());
    const int group = subtrees_.group[s];
    for (int i = 0; i < panel_tiles(s).last * W; ++i) {
      const bool real = i < supernodes_.below(s);
      const int row = real ? supernodes_.rows[supernodes_.row_start[s] + i] : nothing + group;
      const bool copied = real && group > 0 && group != Subtrees::top && top_place[row] >= 0;
      rows_from_.push_back(row);
      rows_to_.push_back(copied ? n + (group - 1) * top_size + top_place[row] : row);
    }
  }
  supernodes_.rows = {};  // the padded ones take their place
  values_.resize(size);
  for (Scratch& scratch : scratch_) {
    scratch.rows.resize(4 * static_cast<std::size_t>(widest + W));
    scratch.sums.resize(3 * static_cast<std::size_t>(widest));
  }
}

template <class Scalar>
void TiledFactor<Scalar>::fill(const double* values) {
  parallel_chunks(supernodes_.count(), [&](std::size_t chunk) {
    const int s = static_cast<int>(chunk);
    const int columns = supernodes_.columns(s);
    const int below = supernodes_.below(s);
    const std::size_t height = static_cast<std::size_t>(columns) + static_cast<std::size_t>(below);
    const double* panel = values + supernodes_.value_start[s];
    std::vector<double> inverse;
    invert(panel, columns, height, inverse);
    Scalar* to = values_.data() + diagonal_[s];
    for (int t = 0; t < diagonal_tiles(s).last; ++t)
      for (int k = 0; k < std::min(columns, (t + 1) * W); ++k)
        for (int i = t * W; i < (t + 1) * W; ++i)
          *to++ = i < columns ? static_cast<Scalar>(inverse[static_cast<std::size_t>(k) * columns + i]) : Scalar(0);
    const int tiles = panel_tiles(s).last;
    for (int t = 0; t < tiles; t += 2) {
      const int high = std::min(2, tiles - t) * W;
      for (int k = 0; k < columns; ++k)
        for (int i = t * W; i < t * W + high; ++i)
          *to++ = i < below ? static_cast<Scalar>(panel[k * height + columns + i]) : Scalar(0);
    }
  });
}

/// out = (inverse of the diagonal block) in.
template <class Scalar>
void TiledFactor<Scalar>::forward_diagonal(int s, const Scalar* in, Scalar* out, Tiles tiles) const {
  const int columns = supernodes_.columns(s);
  for (int t = tiles.first; t < tiles.last; ++t) {
    const Scalar* q = values_.data() + diagonal_[s] + static_cast<std::size_t>(W * W) * t * (t + 1) / 2;
    V a[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < std::min(columns, (t + 1) * W); ++k, q += W)
      for (int c = 0; c < 3; ++c) a[c] = fma(lanes_at<V>(q), V(in[4 * k + c]), a[c]);
    for (int l = 0; l < std::min(W, columns - t * W); ++l) {
      Scalar* row = out + 4 * (t * W + l);
      for (int c = 0; c < 3; ++c) row[c] = a[c][l];
      row[3] = 0;
    }
  }
}

/// Subtracts (panel) in from the rows below.
template <class Scalar>
void TiledFactor<Scalar>::forward_panel(int s, const Scalar* in, Tiles tiles) {
  const int columns = supernodes_.columns(s);
  const auto rows = [&](int t) { return rows_to_.data() + padded_[s] + static_cast<std::size_t>(t) * W; };
  const Scalar* q = values_.data() + panel_[s] + static_cast<std::size_t>(W) * columns * tiles.first;
  int t = tiles.first;
  for (; t + 1 < tiles.last; t += 2) {
    V a[3] = {0.0, 0.0, 0.0};
    V b[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < columns; ++k, q += 2 * W) {
      const V upper = lanes_at<V>(q);
      const V lower = lanes_at<V>(q + W);
      for (int c = 0; c < 3; ++c) {
        const V x(in[4 * k + c]);
        a[c] = fma(upper, x, a[c]);
        b[c] = fma(lower, x, b[c]);
      }
    }
    subtract(y_.data(), rows(t), a);
    subtract(y_.data(), rows(t + 1), b);
  }
  if (t == tiles.last) return;
  V a[3] = {0.0, 0.0, 0.0};
  for (int k = 0; k < columns; ++k, q += W)
    for (int c = 0; c < 3; ++c) a[c] = fma(lanes_at<V>(q), V(in[4 * k + c]), a[c]);
  subtract(y_.data(), rows(t), a);
}

/// Adds (panel)ᵀ (rows below) to the sums, lane by lane.
template <class Scalar>
void TiledFactor<Scalar>::backward_panel(int s, V* sums, Tiles tiles) const {
  const int columns = supernodes_.columns(s);
  const auto rows = [&](int t) { return rows_from_.data() + padded_[s] + static_cast<std::size_t>(t) * W; };
  const Scalar* q = values_.data() + panel_[s] + static_cast<std::size_t>(W) * columns * tiles.first;
  int t = tiles.first;
  for (; t + 1 < tiles.last; t += 2) {
    V a[3];
    V b[3];
    gather(y_.data(), rows(t), a);
    gather(y_.data(), rows(t + 1), b);
    for (int k = 0; k < columns; ++k, q += 2 * W)
      for (int c = 0; c < 3; ++c)
        sums[3 * k + c] = fma(lanes_at<V>(q), a[c], fma(lanes_at<V>(q + W), b[c], sums[3 * k + c]));
  }
  if (t == tiles.last) return;
  V a[3];
  gather(y_.data(), rows(t), a);
  for (int k = 0; k < columns; ++k, q += W)
    for (int c = 0; c < 3; ++c) sums[3 * k + c] = fma(lanes_at<V>(q), a[c], sums[3 * k + c]);
}

/// Adds (inverse of the diagonal block)ᵀ in to the sums. `in` is padded by a tile of zeros.
template <class Scalar>
void TiledFactor<Scalar>::backward_diagonal(int s, const Scalar* in, V* sums, Tiles tiles) const {
  const int columns = supernodes_.columns(s);
  for (int t = tiles.first; t < tiles.last; ++t) {
    const Scalar* q = values_.data() + diagonal_[s] + static_cast<std::size_t>(W * W) * t * (t + 1) / 2;
    int rows[W];
    for (int l = 0; l < W; ++l) rows[l] = t * W + l;
    V a[3];
    gather(in, rows, a);
    for (int k = 0; k < std::min(columns, (t + 1) * W); ++k, q += W)
      for (int c = 0; c < 3; ++c) sums[3 * k + c] = fma(lanes_at<V>(q), a[c], sums[3 * k + c]);
  }
}

/// out = minuend - sums of all parts, or their sum alone, across lanes; in a fixed order.
template <class Scalar>
void TiledFactor<Scalar>::collect(int s, std::span<Scratch> from, const Scalar* minuend, Scalar* out) const {
  for (int k = 0; k < supernodes_.columns(s); ++k) {
    for (int c = 0; c < 3; ++c) {
      V total = from[0].sums[3 * k + c];
      for (std::size_t p = 1; p < from.size(); ++p) total += from[p].sums[3 * k + c];
      const Scalar across = static_cast<Scalar>(sum(total));
      out[4 * k + c] = minuend == nullptr ? across : minuend[4 * k + c] - across;
    }
    out[4 * k + 3] = 0;
  }
}

template <class Scalar>
void TiledFactor<Scalar>::forward(int s, Scratch& scratch) {
  Scalar* own = column_rows(s);
  forward_diagonal(s, own, scratch.rows.data(), diagonal_tiles(s));
  std::memcpy(own, scratch.rows.data(), sizeof(Scalar) * 4 * supernodes_.columns(s));
  forward_panel(s, own, panel_tiles(s));
}

template <class Scalar>
void TiledFactor<Scalar>::backward(int s, Scratch& scratch) {
  const int columns = supernodes_.columns(s);
  Scalar* own = column_rows(s);
  std::fill_n(scratch.sums.data(), 3 * columns, V(0.0));
  backward_panel(s, scratch.sums.data(), panel_tiles(s));
  collect(s, {&scratch, 1}, own, scratch.rows.data());
  std::fill_n(scratch.rows.data() + 4 * columns, 4 * W, Scalar(0));
  std::fill_n(scratch.sums.data(), 3 * columns, V(0.0));
  backward_diagonal(s, scratch.rows.data(), scratch.sums.data(), diagonal_tiles(s));
  collect(s, {&scratch, 1}, nullptr, own);
}

template <class Scalar>
void TiledFactor<Scalar>::forward_shared(int s) {
  Scalar* own = column_rows(s);
  const int diagonal = diagonal_tiles(s).last;
  const int panel = panel_tiles(s).last;
  Scalar* result = scratch_[0].rows.data();
  parallel_chunks(parts, [&](std::size_t p) {
    const int part = static_cast<int>(p);
    forward_diagonal(s, own, result, {cut(diagonal, part), cut(diagonal, part + 1)});
  });
  parallel_chunks(parts, [&](std::size_t p) {
    const int part = static_cast<int>(p);
    forward_panel(s, result, {cut(panel, part), cut(panel, part + 1)});
  });
  std::memcpy(own, result, sizeof(Scalar) * 4 * supernodes_.columns(s));
}

template <class Scalar>
void TiledFactor<Scalar>::backward_shared(int s) {
  const int columns = supernodes_.columns(s);
  Scalar* own = column_rows(s);
  Scalar* difference = scratch_[0].rows.data();
  const auto sweep = [&](int tiles, auto&& work) {
    parallel_chunks(parts, [&](std::size_t p) {
      const int part = static_cast<int>(p);
      V* sums = scratch_[p].sums.data();
      std::fill_n(sums, 3 * columns, V(0.0));
      work(sums, Tiles{cut(tiles, part), cut(tiles, part + 1)});
    });
  };
  sweep(panel_tiles(s).last, [&](V* sums, Tiles tiles) { backward_panel(s, sums, tiles); });
  collect(s, {scratch_.data(), parts}, own, difference);
  std::fill_n(difference + 4 * columns, 4 * W, Scalar(0));
  sweep(diagonal_tiles(s).last, [&](V* sums, Tiles tiles) { backward_diagonal(s, difference, sums, tiles); });
  collect(s, {scratch_.data(), parts}, nullptr, own);
}

template <class Scalar>
void TiledFactor<Scalar>::solve(const NodalField& b, std::span<const int> order, NodalField& x) {
  const std::size_t n = order.size();
  const auto is_shared = [&](int s) {
    return supernodes_.columns(s) * (supernodes_.columns(s) / 2 + supernodes_.below(s)) >= shared_size;
  };
  for_vertices(n, [&](std::size_t k) {
    for (int c = 0; c < 4; ++c) y_[4 * k + c] = static_cast<Scalar>(b.row(order[k])[c]);
  });
  std::fill(y_.begin() + static_cast<std::ptrdiff_t>(4 * n), y_.end(), Scalar(0));

  const auto each_group = [&](auto&& work) {
    if (values_.size() >= parallel_size) {
      parallel_chunks(Subtrees::groups, work);
    } else {
      for (std::size_t g = 0; g < Subtrees::groups; ++g) work(g);
    }
  };
  each_group([&](std::size_t g) {
    for (const int s : subtrees_.members[g]) forward(s, scratch_[g]);
  });
  const std::size_t top_size = top_columns_.size();
  for (std::size_t i = 0; i < top_size; ++i)
    for (int g = 0; g + 1 < Subtrees::groups; ++g)
      row_at(y_.data(), top_columns_[i]) += row_at(y_.data(), static_cast<int>(n + g * top_size + i));
  const auto& top = subtrees_.members[Subtrees::top];
  for (const int s : top) is_shared(s) ? forward_shared(s) : forward(s, scratch_[0]);
  for (std::size_t k = top.size(); k-- > 0;)
    is_shared(top[k]) ? backward_shared(top[k]) : backward(top[k], scratch_[0]);
  each_group([&](std::size_t g) {
    const auto& members = subtrees_.members[g];
    for (std::size_t k = members.size(); k-- > 0;) backward(members[k], scratch_[g]);
  });

  for_vertices(n, [&](std::size_t k) {
    for (int c = 0; c < 4; ++c) x.row(order[k])[c] = y_[4 * k + c];
  });
}

template class TiledFactor<float>;
template class TiledFactor<double>;

}  // namespace brio
