#include "solvers/linear/cholesky.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <optional>

#include "math/nodal_ops.h"
#include "solvers/linear/elimination.h"
#include "solvers/linear/expanded_matrix.h"
#include "solvers/linear/tiled_factor.h"

namespace brio {
namespace {

using Factor = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

/// Neighbors in the order whose rows below are the same belong together.
Supernodes shape(const Factor& L) {
  const int* start = L.outerIndexPtr();
  const int* row = L.innerIndexPtr();
  const auto columns = static_cast<int>(L.cols());
  Supernodes result{.first = {0}, .row_start = {0}, .rows = {}, .value_start = {0}};
  for (int j = 0; j < columns; ++j) {
    const int below = start[j + 1] - start[j] - 1;
    if (below > 0 && row[start[j] + 1] == j + 1 && start[j + 2] - start[j + 1] == below) continue;
    const auto width = static_cast<std::size_t>(j + 1 - result.first.back());
    result.rows.insert(result.rows.end(), row + start[j] + 1, row + start[j + 1]);
    result.first.push_back(j + 1);
    result.row_start.push_back(static_cast<int>(result.rows.size()));
    result.value_start.push_back(result.value_start.back() + width * (width + static_cast<std::size_t>(below)));
  }
  return result;
}

/// The factor's numbers in panels of that shape.
std::vector<double> panels(const Factor& L, const Supernodes& shape) {
  const int* start = L.outerIndexPtr();
  std::vector<double> values(shape.value_start.back());
  for (int s = 0; s < shape.count(); ++s) {
    const auto height = static_cast<std::size_t>(shape.columns(s) + shape.below(s));
    for (int c = 0; c < shape.columns(s); ++c) {
      const int column = shape.first[s] + c;
      std::copy(L.valuePtr() + start[column], L.valuePtr() + start[column + 1],
                values.begin() + static_cast<std::ptrdiff_t>(shape.value_start[s] + c * height) + c);
    }
  }
  return values;
}

class EigenCholesky final : public Cholesky {
 public:
  EigenCholesky(const BlockPattern& pattern, int width, Precision precision)
      : elimination_(elimination_of(pattern)),
        matrix_(pattern, elimination_->order, width),
        width_(width),
        b_(matrix_.size(), width == 1 ? 3 : 1),
        precision_(precision) {
    solver_.analyzePattern(view());
  }

  bool factor(std::span<const double> values) override {
    matrix_.fill(values);
    solver_.factorize(view());
    const auto& L = solver_.matrixL().nestedExpression();
    entries_ = static_cast<double>(L.nonZeros());
    flops_ = 0;
    for (Eigen::Index j = 0; j < L.cols(); ++j) {
      const double column = L.outerIndexPtr()[j + 1] - L.outerIndexPtr()[j];
      flops_ += column * column;
    }
    const bool definite = solver_.info() == Eigen::Success && Eigen::VectorXd(L.diagonal()).allFinite();
    if (definite && width_ == 1 && L.cols() >= fewest_tiled) lay_out(L);
    return definite;
  }

  void solve(const NodalField& b, NodalField& x) override {
    if (single_) return single_->solve(b, elimination_->order, x);
    if (full_) return full_->solve(b, elimination_->order, x);
    const std::vector<int>& order = elimination_->order;
    for_vertices(b.size(), [&](std::size_t k) {
      for (int c = 0; c < 3; ++c) entry(b_, k, c) = b.row(order[k])[c];
    });
    x_ = solver_.solve(b_);
    for_vertices(b.size(), [&](std::size_t k) {
      for (int c = 0; c < 3; ++c) x.row(order[k])[c] = entry(x_, k, c);
    });
  }

  double flops() const override { return flops_; }
  double entries() const override { return entries_; }
  std::size_t bytes() const override {
    if (single_) return single_->bytes();
    return full_ ? full_->bytes() : static_cast<std::size_t>(entries_) * sizeof(double);
  }
  std::string description() const override {
    return std::string("Eigen simplicial, ") + (elimination_->dissected ? "dissected order" : "AMD order") +
           (single_ ? ", tiles of single precision" : "");
  }

 private:
  static constexpr Eigen::Index fewest_tiled = 500;  ///< columns

  void lay_out(const Factor& L) {
    const Supernodes supernodes = shape(L);
    const std::vector<double> values = panels(L, supernodes);
    if (precision_ == Precision::single) {
      if (!single_) single_.emplace(supernodes);
      single_->fill(values.data());
    } else {
      if (!full_) full_.emplace(supernodes);
      full_->fill(values.data());
    }
  }

  double& entry(Eigen::MatrixXd& dense, std::size_t k, int c) const {
    return width_ == 1 ? dense(static_cast<Eigen::Index>(k), c) : dense(static_cast<Eigen::Index>(3 * k + c), 0);
  }
  Eigen::Map<const Eigen::SparseMatrix<double>> view() {
    return {matrix_.size(),  matrix_.size(), static_cast<Eigen::Index>(matrix_.entries()),
            matrix_.start(), matrix_.row(),  matrix_.value()};
  }

  std::shared_ptr<const Elimination> elimination_;
  ExpandedMatrix matrix_;
  int width_;
  double flops_ = 0;
  double entries_ = 0;
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::NaturalOrdering<int>> solver_;
  Eigen::MatrixXd b_, x_;
  Precision precision_;
  std::optional<TiledFactor<float>> single_;
  std::optional<TiledFactor<double>> full_;
};

}  // namespace

std::unique_ptr<Cholesky> make_eigen_cholesky(const BlockPattern& pattern, int width, Precision precision) {
  return std::make_unique<EigenCholesky>(pattern, width, precision);
}

std::unique_ptr<Cholesky> make_cholesky(const BlockPattern& pattern, int width, [[maybe_unused]] Precision precision) {
#ifdef BRIO_WITH_GPL
  return make_cholmod_cholesky(pattern, width, precision);
#else
  return make_eigen_cholesky(pattern, width, precision);
#endif
}

}  // namespace brio
