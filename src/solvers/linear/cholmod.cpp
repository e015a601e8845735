#ifdef BRIO_WITH_GPL
#include <fmt/format.h>

#include <optional>

#include "core/memory.h"
#include "math/nodal_ops.h"
#include "solvers/linear/cholesky.h"
#include "solvers/linear/cholmod_common.h"
#include "solvers/linear/elimination.h"
#include "solvers/linear/expanded_matrix.h"
#include "solvers/linear/one_thread.h"
#include "solvers/linear/tiled_factor.h"

namespace brio {
namespace {

Supernodes shape(const cholmod_factor& L) {
  const auto* first = static_cast<const int*>(L.super);
  const auto* row_start = static_cast<const int*>(L.pi);
  const auto* value_start = static_cast<const int*>(L.px);
  const auto* row = static_cast<const int*>(L.s);
  Supernodes result{.first = {first, first + L.nsuper + 1},
                    .row_start = {0},
                    .rows = {},
                    .value_start = {value_start, value_start + L.nsuper + 1}};
  result.row_start.reserve(L.nsuper + 1);
  result.rows.reserve(L.ssize - L.n);
  for (std::size_t s = 0; s < L.nsuper; ++s) {
    result.rows.insert(result.rows.end(), row + row_start[s] + first[s + 1] - first[s], row + row_start[s + 1]);
    result.row_start.push_back(static_cast<int>(result.rows.size()));
  }
  return result;
}

class CholmodCholesky final : public Cholesky {
 public:
  CholmodCholesky(const BlockPattern& pattern, int width, Precision precision)
      : elimination_(elimination_of(pattern)),
        order_(elimination_->order),
        width_(width),
        matrix_(pattern, order_, width) {
    // The matrix comes in its final order: CHOLMOD then reads it in place instead of permuting copies of it.
    common_.method[0].ordering = CHOLMOD_NATURAL;
    common_.postorder = 0;
    // CHOLMOD counts in scalars up to how many columns supernodes are merged although that fills zeros. Counted in
    // vertices they are fewer and wider, and dense products gain more than the zeros cost.
    if (width == 3)
      for (std::size_t& columns : common_.nrelax) columns *= 3;
    common_.supernodal = pattern.vertices() < fewest_supernodal ? CHOLMOD_SIMPLICIAL : CHOLMOD_SUPERNODAL;
    A_ = lower_triangle(matrix_.size(), matrix_.entries(), matrix_.start(), matrix_.row(), matrix_.value());
    const OneThread one;
    L_ = cholmod_analyze(&A_, &common_);
    common_.check();
    flops_ = common_.fl;
    entries_ = common_.lnz;
    claim_memory(sizeof(double) * entries_,
                 {.key = "solver.linear",
                  .problem = fmt::format("a factor of {:.3g} million numbers", entries_ / 1e6),
                  .advice = width == 3 ? "choose \"pcg\", or a coarser mesh" : "choose a coarser mesh"});
    if (width == 1 && L_->is_super) {
      if (precision == Precision::single) {
        single_.emplace(shape(*L_));
      } else {
        full_.emplace(shape(*L_));
      }
      return;
    }
    b_.resize(3 * order_.size());
    B_.nrow = B_.d = matrix_.size();
    B_.ncol = width == 1 ? 3 : 1;
    B_.nzmax = b_.size();
    B_.x = b_.data();
    B_.xtype = CHOLMOD_REAL;
    B_.dtype = CHOLMOD_DOUBLE;
  }
  CholmodCholesky(const CholmodCholesky&) = delete;
  CholmodCholesky& operator=(const CholmodCholesky&) = delete;
  ~CholmodCholesky() override {
    cholmod_free_factor(&L_, &common_);
    for (cholmod_dense** dense : {&X_, &Y_, &E_}) cholmod_free_dense(dense, &common_);
  }

  bool factor(std::span<const double> values) override {
    matrix_.fill(values);
    const OneThread one;
    cholmod_factorize(&A_, L_, &common_);
    common_.check();
    if (common_.status != CHOLMOD_OK || !(cholmod_rcond(L_, &common_) > 0)) return false;  // not > 0: NaN
    if (single_) single_->fill(static_cast<const double*>(L_->x));
    if (full_) full_->fill(static_cast<const double*>(L_->x));
    if (single_ || full_) {
      cholmod_change_factor(CHOLMOD_PATTERN, 1, 1, 1, 1, L_, &common_);  // its numbers live on in tiles
      cholmod_free_work(&common_);
    }
    return true;
  }

  void solve(const NodalField& b, NodalField& x) override {
    if (single_) return single_->solve(b, order_, x);
    if (full_) return full_->solve(b, order_, x);
    const std::size_t n = order_.size();
    for_vertices(n, [&](std::size_t k) {
      for (int c = 0; c < 3; ++c) b_[place(k, c)] = b.row(order_[k])[c];
    });
    {
      const OneThread one;
      cholmod_solve2(CHOLMOD_A, L_, &B_, nullptr, &X_, nullptr, &Y_, &E_, &common_);
      common_.check();
    }
    const auto* solution = static_cast<const double*>(X_->x);
    for_vertices(n, [&](std::size_t k) {
      for (int c = 0; c < 3; ++c) x.row(order_[k])[c] = solution[place(k, c)];
    });
  }

  double flops() const override { return flops_; }
  double entries() const override { return entries_; }
  std::size_t bytes() const override {
    if (single_) return single_->bytes();
    return full_ ? full_->bytes() : static_cast<std::size_t>(entries_) * sizeof(double);
  }
  std::string description() const override {
    if (single_) return std::string("CHOLMOD supernodal, ") + order_name() + ", tiles of single precision";
    return fmt::format("CHOLMOD {}, {}", L_->is_super ? "supernodal" : "simplicial", order_name());
  }

 private:
  const char* order_name() const { return elimination_->dissected ? "dissected order" : "AMD order"; }
  std::size_t place(std::size_t k, int c) const { return width_ == 1 ? k + c * order_.size() : 3 * k + c; }

  std::shared_ptr<const Elimination> elimination_;
  std::span<const int> order_;
  int width_;
  double flops_ = 0;
  double entries_ = 0;
  ExpandedMatrix matrix_;
  std::vector<double> b_;  ///< for CHOLMOD's own solves, like all that follows of dense matrices
  CholmodCommon common_;
  cholmod_sparse A_{};
  cholmod_dense B_{};
  cholmod_factor* L_ = nullptr;
  cholmod_dense* X_ = nullptr;  ///< the solution and CHOLMOD's workspace, kept
  cholmod_dense* Y_ = nullptr;
  cholmod_dense* E_ = nullptr;
  std::optional<TiledFactor<float>> single_;
  std::optional<TiledFactor<double>> full_;
};

}  // namespace

std::unique_ptr<Cholesky> make_cholmod_cholesky(const BlockPattern& pattern, int width, Precision precision) {
  return std::make_unique<CholmodCholesky>(pattern, width, precision);
}

}  // namespace brio
#endif
