/// Newton's method on equations that are no gradient of an objective, or not only: along a direction, each step is
/// halved until a merit, |what is left| in units of what it must come down to, decreases enough. [Nocedal & Wright
/// 2006, section 11.2]
#pragma once

#include "solvers/solver.h"

namespace brio {

/// What is solved. It keeps the present point and a direction.
class Equations {
 public:
  /// Whether the present point is the solution; notes its residual in the report.
  virtual bool converged(SolveReport& report) = 0;
  /// The merit of the present point after `converged`, where that may have made the equations more exact.
  virtual double renewed(double merit) const { return merit; }
  /// Finds a direction from the present point; false when there is none.
  virtual bool find_direction(SolveReport& report) = 0;
  /// The largest step ≤ 1 along it that stays within the domain.
  virtual double max_step() = 0;
  /// The merit at a step along the direction; not finite outside the domain.
  virtual double try_step(double step) = 0;
  /// Makes the point that was tried last the present one.
  virtual void accept(double step) = 0;
  /// Whether a point short of the solution may be used; else running out of time cancels all.
  virtual bool may_end_early() const { return false; }
  /// Whether no more work may be done: Objective::is_exhausted.
  virtual bool is_exhausted() const = 0;
  /// Where no step lowers the merit: whether only rounding errors are left. Evaluates the present point again.
  virtual bool only_rounding_left() = 0;

 protected:
  ~Equations() = default;
};

enum class NewtonEnd { converged, too_many_iterations, exhausted, no_direction, stalled, out_of_time };

/// From the present point, whose merit is given.
NewtonEnd damped_newton(Equations& equations, double merit, int max_iterations, SolveReport& report);

}  // namespace brio
