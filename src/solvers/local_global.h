/// Local/global iterations, as in Projective Dynamics, for any term (c, θ) of the objective.
///
///   x <- x - A⁻¹ ∇Φ(x),   A = M/h² + Σ c θ² L,   factored once
///
/// For energies w/2 min_p |G x - p|² the gradient is w Gᵀ(G x - p), p the projection of G x, and L = w GᵀG: solving
/// A x' = A x - ∇Φ is then the global step with the projections of the local step on its right-hand side, to the bit of
/// rounding. The batched gradient kernels are the local step. [Bouaziz et al. 2014; Dinev et al. 2018, section 4.2;
/// Liu, Bouaziz & Kavan 2017, section 3] For other energies it is a descent with a fixed metric.
///
/// Accelerations: Chebyshev's semi-iteration [Wang 2015], Anderson's [Peng et al. 2018]. Departs: Φ never rises. An
/// accelerated step that would raise it is replaced by the plain one, a plain one (not possible for projective
/// energies) by a line search along it.
#pragma once

#include "solvers/anderson.h"
#include "solvers/line_search.h"
#include "solvers/prefactored.h"

namespace brio {

class LocalGlobal final : public Solver {
 public:
  explicit LocalGlobal(const SolverOptions& options) : options_(options) {}
  SolveReport solve(Objective& objective, NodalField& x) override;

 private:
  void prepare(std::size_t vertices);
  /// Sets next_ to the iterate after x: plain or accelerated. Returns whether it is the plain one.
  bool propose(const NodalField& x);
  /// Moves x to a point of lower Φ along d_, with g_ and phi. False when there is none.
  bool advance(Objective& objective, NodalField& x, double& phi, SolveReport& report);
  void restart();

  SolverOptions options_;
  Prefactored matrix_;
  LineSearch search_;
  NodalField g_, d_, next_, next_g_;
  NodalField before_;      ///< chebyshev: the iterate before x
  double omega_ = 1;       ///< chebyshev: its present weight
  int since_restart_ = 0;  ///< iterations
  std::unique_ptr<Anderson> anderson_;
};

}  // namespace brio
