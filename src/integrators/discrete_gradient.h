/// What the forms of `discrete-gradient` share: Newton's method on equations whose Jacobian is not symmetric.
#pragma once

#include <memory>

#include "integrators/implicit.h"
#include "solvers/damped_newton.h"
#include "solvers/definite_hessian.h"
#include "solvers/gmres.h"

namespace brio {

/// Products with the Jacobian are central differences of the equations; the symmetric Hessian of a midpoint step
/// preconditions them, so that a few do.
class DiscreteGradientIntegrator : public ImplicitIntegrator, protected Equations {
 public:
  explicit DiscreteGradientIntegrator(const SolverOptions& options) : ImplicitIntegrator(options), hessian_(options) {}

 protected:
  /// How precisely a direction is found: nothing is lost of quadratic convergence until rounding.
  static constexpr double direction_tolerance = 1e-6;

  /// Jv = (F(x + s v) − F(x − s v))/(2s), where evaluate(place, F) sets F; no vertex moves by more than a millionth of
  /// the body's size.
  template <class Evaluate>
  void differentiate(const NodalField& x, const NodalField& v, NodalField& Jv, Evaluate evaluate) {
    const double step = difference_step(x, v);
    for_vertices(v.size(), [&](std::size_t i) { trial_[i] = x[i] + step * v[i]; });
    evaluate(trial_, Jv);
    for_vertices(v.size(), [&](std::size_t i) { trial_[i] = x[i] - step * v[i]; });
    evaluate(trial_, other_);
    for_vertices(v.size(), [&](std::size_t i) { Jv[i] = (Jv[i] - other_[i]) / (2 * step); });
  }
  bool is_exhausted() const final { return objective().is_exhausted(); }
  /// From the guess in x_next_.
  SolveReport solve_equations(double merit);
  /// Σ of the energies but those that are taken `apart` [J].
  double energy_of(const Configuration& at, Averaging apart) const;

  DefiniteHessian hessian_;
  Gmres gmres_;
  NodalField trial_, other_;  ///< where a step leads, and what the equations leave there
  NodalSum sum_;

 private:
  double difference_step(const NodalField& x, const NodalField& v);
};

std::unique_ptr<Integrator> make_phase_space_gradient(const SolverOptions& options);

}  // namespace brio
