/// Eigenvalues and eigenvectors of small symmetric matrices by Jacobi rotations [Golub & Van Loan, Matrix Computations,
/// 8.5]. Accurate for small eigenvalues too, and compiled in a small part of the time that Eigen's solver takes.
#pragma once

#include <Eigen/Core>
#include <array>

namespace brio {

/// Turns the n rows of A into a diagonal matrix, and V's, the unit matrix at first, into its eigenvectors. Both are
/// held row by row, `stride` numbers each; what is beyond n is left as it is where it is zero.
void diagonalize(int n, int stride, double* A, double* V);

template <int n>
class SymmetricEigen {
 public:
  using Matrix = Eigen::Matrix<double, n, n>;
  using Vector = Eigen::Matrix<double, n, 1>;

  explicit SymmetricEigen(const Matrix& A) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) A_[i * stride + j] = A(i, j);
      V_[i * stride + i] = 1;
    }
    diagonalize(n, stride, A_.data(), V_.data());
  }

  /// In no order.
  double value(int k) const { return A_[k * stride + k]; }
  Vector vector(int k) const { return Eigen::Map<const Vector>(V_.data() + k * stride); }

  /// The matrix without its negative eigenvalues.
  Matrix positive_part() const {
    Matrix P = Matrix::Zero();
    for (int k = 0; k < n; ++k) {
      if (!(value(k) > 0)) continue;
      const double* v = V_.data() + k * stride;
      for (int j = 0; j < n; ++j) {
        const double scaled = value(k) * v[j];
        for (int i = 0; i < n; ++i) P(i, j) += scaled * v[i];
      }
    }
    return P;
  }

 private:
  static constexpr int stride = (n + 3) / 4 * 4;
  alignas(32) std::array<double, n * stride> A_{}, V_{};
};

}  // namespace brio
