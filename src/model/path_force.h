/// Energies whose force over a step is a discrete gradient that no points along the path stand in for, as contact's:
/// it begins, ends and leaps from feature to feature within one step. Where Moment::mean is set, `gradient` is half of
/// the discrete gradient and `hessian` a positive semidefinite stand-in for its derivative, which is not symmetric: the
/// force is the gradient of nothing, and steps with it are roots of equations, not minima.
/// They count as energies that refine their paths, though there is nothing to refine: Energy::begin_path tells them
/// where the path begins.
#pragma once

#include <span>

#include "brio/energy.h"

namespace brio {

class PathForce : public Energy {
 public:
  bool refines_path() const final { return true; }
  bool has_discrete_gradient() const final { return true; }
  void begin_path(const Configuration& start) const override = 0;
  /// Whether anything acts on the path to `at`; prepares products with the derivative of `gradient` there. Adds to each
  /// vertex the stiffness by which rounding of positions shows in forces [N/m].
  virtual bool linearize_path(const Configuration& at, std::span<double> stiffness) const = 0;
  /// What of the force's work is lost, not stored [J].
  virtual double path_loss(const Configuration& /*at*/) const { return 0; }
  /// Whether anything went through anything on the straight path between two configurations.
  virtual bool is_crossed(const Configuration& /*from*/, const Configuration& /*to*/) const { return false; }
  /// Jv += that derivative times v.
  virtual void add_path_product(const NodalField& v, NodalField& Jv) const = 0;
};

}  // namespace brio
