#include "report/modes.h"

#include <Spectra/SymEigsShiftSolver.h>
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "brio/energy.h"
#include "math/block_matrix.h"

namespace brio {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// (A - σI)⁻¹ for Spectra, whose own takes an unsymmetric factorization.
class ShiftedInverse {
 public:
  using Scalar = double;
  explicit ShiftedInverse(const Sparse& A) : A_(A) {}
  Eigen::Index rows() const { return A_.rows(); }
  Eigen::Index cols() const { return A_.cols(); }
  void set_shift(double shift) {
    Sparse shifted = A_;
    for (Eigen::Index i = 0; i < rows(); ++i) shifted.coeffRef(i, i) -= shift;
    factor_.compute(shifted);
    if (factor_.info() != Eigen::Success)
      throw InputError({.key = "modes", .problem = "the stiffness cannot be factored"});
  }
  void perform_op(const double* x, double* y) const {
    Eigen::Map<Eigen::VectorXd>(y, rows()) = factor_.solve(Eigen::Map<const Eigen::VectorXd>(x, rows()));
  }

 private:
  const Sparse& A_;
  Eigen::SimplicialLDLT<Sparse> factor_;
};

/// The smallest eigenvalues of a symmetric matrix and their vectors, ascending.
void smallest(const Sparse& A, int count, Eigen::VectorXd& values, Eigen::MatrixXd& vectors) {
  const auto n = static_cast<int>(A.rows());
  count = std::min(count, n);
  if (n < 200 || 3 * count > n) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> all{Eigen::MatrixXd(A)};
    values = all.eigenvalues().head(count);
    vectors = all.eigenvectors().leftCols(count);
    return;
  }
  // Just below zero: what is free has eigenvalues of zero, where A itself has no inverse.
  const double shift = -1e-9 * A.diagonal().cwiseAbs().maxCoeff();
  ShiftedInverse inverse(A);
  Spectra::SymEigsShiftSolver<ShiftedInverse> solver(inverse, count, std::min(n, 2 * count + 20), shift);
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-12, Spectra::SortRule::SmallestAlge);
  if (solver.info() != Spectra::CompInfo::Successful)
    throw InputError(
        {.key = "count", .problem = fmt::format("only {} of {} modes were found", solver.eigenvalues().size(), count)});
  values = solver.eigenvalues();
  vectors = solver.eigenvectors();
}

/// Of a lower triangle by blocks of width x width.
template <class Block>
Sparse assembled(const BlockPattern& pattern, int width, Block block) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < pattern.vertices(); ++j)
    for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
      for (int a = 0; a < width; ++a)
        for (int b = 0; b < width; ++b) {
          const int i = pattern.row[k];
          const double value = block(k, a, b);
          entries.emplace_back(width * i + a, width * j + b, value);
          if (i != j) entries.emplace_back(width * j + b, width * i + a, value);
        }
  Sparse K(width * pattern.vertices(), width * pattern.vertices());
  K.setFromTriplets(entries.begin(), entries.end());
  return K;
}

}  // namespace

Modes Modes::of_vibration(const Model& model, const NodalField& x, int count) {
  const std::shared_ptr<const BlockPattern> pattern = model.pattern();
  BlockMatrix H(pattern);
  H.set_zero();
  NodalField g(model.vertices());
  State state = model.rest_state();
  state.x = x;
  for (const auto& energy : model.energies()) energy->hessian(state, {}, Projection::none, g, H);
  const Sparse K = assembled(*pattern, 3, [&](int k, int a, int b) { return H.block(k)[3 * a + b]; });
  return {K, model.mass(), model.pinned(), 3, count};
}

Modes Modes::of_patterns(const Model& model, int count) {
  const std::shared_ptr<const BlockPattern> pattern = model.pattern();
  std::vector<double> L(pattern->blocks(), 0.0);
  for (const auto& energy : model.energies()) energy->laplacian(1, L);
  const Sparse K = assembled(*pattern, 1, [&](int k, int, int) { return L[static_cast<std::size_t>(k)]; });
  return {K, model.mass(), model.pinned(), 1, count};
}

Modes::Modes(const Sparse& K, const std::vector<double>& mass, const std::vector<char>& pinned, int width, int count)
    : width_(width), mass_(mass) {
  std::vector<int> unknown(static_cast<std::size_t>(K.rows()), -1);  // among those that are not held
  std::vector<double> root;                                          // of their masses
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    const std::size_t v = i / static_cast<std::size_t>(width);
    if (pinned[v] != 0) continue;
    unknown[i] = static_cast<int>(root.size());
    root.push_back(std::sqrt(mass[v]));
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index j = 0; j < K.outerSize(); ++j)
    for (Sparse::InnerIterator entry(K, j); entry; ++entry) {
      const int a = unknown[static_cast<std::size_t>(entry.row())], b = unknown[static_cast<std::size_t>(j)];
      if (a >= 0 && b >= 0) entries.emplace_back(a, b, entry.value() / (root[a] * root[b]));
    }
  const auto n = static_cast<Eigen::Index>(root.size());
  Sparse A(n, n);  // M^(-1/2) K M^(-1/2)
  A.setFromTriplets(entries.begin(), entries.end());
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
  smallest(A, count, values, vectors);
  for (const double value : values) frequencies_.push_back(std::sqrt(std::max(value, 0.0)));
  momenta_ = Eigen::MatrixXd::Zero(K.rows(), values.size());
  for (std::size_t i = 0; i < unknown.size(); ++i)
    if (unknown[i] >= 0) momenta_.row(static_cast<Eigen::Index>(i)) = root[unknown[i]] * vectors.row(unknown[i]);
}

NodalField Modes::shape(int mode) const {
  NodalField phi(mass_.size());
  for (std::size_t i = 0; i < phi.size(); ++i)
    phi[i] = momenta_.block<3, 1>(3 * static_cast<Eigen::Index>(i), mode) / mass_[i];
  return phi;
}

std::vector<double> Modes::kinetic_energies(const NodalField& v) const {
  std::vector<double> energies(frequencies_.size());
  const Eigen::Map<const Eigen::Matrix<double, 4, Eigen::Dynamic>> rows(v.data(), 4,
                                                                        static_cast<Eigen::Index>(v.size()));
  const Eigen::Matrix<double, 3, Eigen::Dynamic> velocity = rows.topRows(3);
  for (std::size_t k = 0; k < energies.size(); ++k) {
    const auto column = momenta_.col(static_cast<Eigen::Index>(k));
    energies[k] =
        width_ == 1 ? 0.5 * (velocity * column).squaredNorm() : 0.5 * std::pow(velocity.reshaped().dot(column), 2);
  }
  return energies;
}

double Modes::kinetic_energy_above(const NodalField& v) const {
  double energy = 0;
  for (std::size_t i = 0; i < v.size(); ++i) energy += 0.5 * mass_[i] * v[i].squaredNorm();
  for (const double part : kinetic_energies(v)) energy -= part;
  return std::max(energy, 0.0);
}

}  // namespace brio
