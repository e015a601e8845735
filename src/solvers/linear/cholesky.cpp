#include "solvers/linear/cholesky.h"

#include <Eigen/SparseCholesky>

#include "math/nodal_ops.h"
#include "solvers/linear/elimination.h"
#include "solvers/linear/expanded_matrix.h"

namespace brio {
namespace {

class EigenCholesky final : public Cholesky {
 public:
  EigenCholesky(const BlockPattern& pattern, int width)
      : elimination_(elimination_of(pattern)),
        matrix_(pattern, elimination_->order, width),
        width_(width),
        b_(matrix_.size(), width == 1 ? 3 : 1) {
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
    return solver_.info() == Eigen::Success &&
           Eigen::VectorXd(solver_.matrixL().nestedExpression().diagonal()).allFinite();
  }

  void solve(const NodalField& b, NodalField& x) override {
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
  std::size_t bytes() const override { return static_cast<std::size_t>(entries_) * sizeof(double); }
  std::string description() const override {
    return elimination_->dissected ? "Eigen simplicial, dissected order" : "Eigen simplicial, AMD order";
  }

 private:
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
};

}  // namespace

std::unique_ptr<Cholesky> make_eigen_cholesky(const BlockPattern& pattern, int width) {
  return std::make_unique<EigenCholesky>(pattern, width);
}

std::unique_ptr<Cholesky> make_cholesky(const BlockPattern& pattern, int width, [[maybe_unused]] Precision precision) {
#ifdef BRIO_WITH_GPL
  return make_cholmod_cholesky(pattern, width, precision);
#else
  return make_eigen_cholesky(pattern, width);
#endif
}

}  // namespace brio
