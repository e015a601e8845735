#include "solvers/damped_newton.h"

#include "core/cancellation.h"
#include "core/timer.h"

namespace brio {
namespace {

/// Lowers `merit` by a step along the direction; false when none was found.
bool search_merit(Equations& equations, double& merit, SolveReport& report) {
  constexpr int max_halvings = 40;
  constexpr double enough = 1e-4;  // of the decrease that a full step promises
  const Stopwatch watch;
  double step = equations.max_step();
  bool found = false;
  for (int halvings = 0; halvings < max_halvings && !found; ++halvings, step *= 0.5) {
    const double next = equations.try_step(step);
    ++report.evaluations;
    found = next <= (1 - enough * step) * merit;
    if (!found) continue;
    equations.accept(step);
    merit = next;
  }
  report.times.search += watch.milliseconds();
  return found;
}

}  // namespace

NewtonEnd damped_newton(Equations& equations, double merit, int max_iterations, SolveReport& report) {
  report.status = SolveReport::Status::unconverged;
  for (;; ++report.iterations) {
    if (equations.converged(report)) {
      report.status = SolveReport::Status::converged;
      return NewtonEnd::converged;
    }
    merit = equations.renewed(merit);
    if (is_out_of_time(report)) {
      if (!equations.may_end_early()) throw Canceled{.out_of_time = true};
      return NewtonEnd::out_of_time;
    }
    if (report.iterations == max_iterations) return NewtonEnd::too_many_iterations;
    if (report.iterations > 0 && equations.is_exhausted()) return NewtonEnd::exhausted;
    if (!equations.find_direction(report)) return NewtonEnd::no_direction;
    if (search_merit(equations, merit, report)) continue;
    if (!equations.only_rounding_left()) return NewtonEnd::stalled;
    report.status = SolveReport::Status::converged;
    return NewtonEnd::converged;
  }
}

}  // namespace brio
