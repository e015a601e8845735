/// Implicit steps solved the straightforward way: Eigen's fixed-size matrices per element, triplets, SimplicialLLT,
/// JacobiSVD, one thread. Kept as the yardstick.
#pragma once

#include <Eigen/SparseCholesky>

#include "bench/straightforward.h"

namespace brio::bench {

struct PlainSpring {
  int a, b;
  double stiffness, rest;
};

/// 1/(2h²) |x - y|²_M + E(x): a step of backward Euler.
struct PlainStep {
  Material material{};
  std::vector<ReferenceTet> tets{};
  std::vector<PlainSpring> springs{};
  std::vector<double> mass{};
  std::vector<char> pinned{};
  std::vector<Vec3> y{};  ///< gravity included
  double h = 0;

  double gradient(const std::vector<Vec3>& x, std::vector<Vec3>& g, std::vector<Matrix12>* hessians) const;
  double norm(const std::vector<Vec3>& g) const;  ///< |g|_{M⁻¹}
};

class PlainSolver {
 public:
  explicit PlainSolver(PlainStep step);

  /// Each moves x; newton and lbfgs until the norm of the gradient is at most `goal`.
  int newton(std::vector<Vec3>& x, double goal);
  void local_global(std::vector<Vec3>& x, int iterations);
  int lbfgs(std::vector<Vec3>& x, double goal, int window);

  const Eigen::SparseMatrix<double>& hessian(const std::vector<Vec3>& x);  ///< lower triangle; tetrahedra only
  /// d = -A⁻¹ g with the prefactored matrix.
  void descend(const std::vector<Vec3>& g, std::vector<Vec3>& d) const;

 private:
  void factor_laplacian();
  double search(std::vector<Vec3>& x, std::vector<Vec3>& g, const std::vector<Vec3>& d, double phi);

  PlainStep step_;
  std::vector<Vec3> g_;
  std::vector<Matrix12> element_;
  std::vector<Eigen::Triplet<double>> triplets_;
  Eigen::SparseMatrix<double> H_;
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> newton_factor_, laplacian_factor_;
  bool analyzed_ = false;
};

}  // namespace brio::bench
