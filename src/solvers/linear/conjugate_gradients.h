/// Conjugate gradients [Hestenes & Stiefel 1952] for any symmetric matrix and any positive definite preconditioner.
#pragma once

#include "math/lanes.h"
#include "math/nodal_ops.h"
#include "solvers/linear/linear_solver.h"

namespace brio {

class ConjugateGradients {
 public:
  /// From zero until the residual, in the norm of the preconditioner, is below tolerance times that of b.
  /// multiply(d, q) sets q = A d and returns d . q; precondition(r, z) sets z and returns r . z.
  template <class Multiply, class Precondition>
  LinearReport operator()(const NodalField& b, NodalField& x, double tolerance, int max_iterations, Multiply&& multiply,
                          Precondition&& precondition) {
    const std::size_t n = b.size();
    if (r_.size() != n) r_ = z_ = d_ = q_ = NodalField(n);
    x.set_zero();
    r_ = b;
    double rz = precondition(r_, z_);
    d_ = z_;
    const double goal = tolerance * tolerance * rz;
    LinearReport report{.solved = rz == 0};
    while (!report.solved && report.iterations < max_iterations) {
      const double curvature = multiply(d_, q_);
      if (!(curvature > 0)) {  // not positive definite along d: what was found so far still descends
        report.indefinite = true;
        if (report.iterations == 0) x = z_;
        return report;
      }
      const Doubles alpha(rz / curvature);
      for_vertices(n, [&](std::size_t i) {
        store(x.row(i), fma(alpha, load(d_.row(i)), load(x.row(i))));
        store(r_.row(i), fma(-alpha, load(q_.row(i)), load(r_.row(i))));
      });
      const double next = precondition(r_, z_);
      ++report.iterations;
      report.solved = next <= goal;
      const Doubles beta(next / rz);
      for_vertices(n, [&](std::size_t i) { store(d_.row(i), fma(beta, load(d_.row(i)), load(z_.row(i)))); });
      rz = next;
    }
    return report;
  }

 private:
  NodalField r_, z_, d_, q_;
};

}  // namespace brio
