#include "solvers/newton.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/timer.h"

namespace brio {

SolveReport Newton::solve(Objective& objective, NodalField& x) {
  if (g_.size() != x.size()) g_ = d_ = guess_ = NodalField(x.size());
  const bool may_shift = options_.definite == Definite::project && options_.iterations == 0;
  if (may_shift) guess_ = x;
  hessian_.set_projecting(options_.definite == Definite::project);
  SolveReport report = iterate(objective, x);
  if (report.converged() || !may_shift || report.out_of_time || objective.is_exhausted()) return report;
  std::swap(x, guess_);
  hessian_.set_projecting(false);
  SolveReport again = iterate(objective, x);
  if (!again.converged() && again.residual > report.residual) std::swap(x, guess_);
  const bool shifted = again.converged() || again.residual <= report.residual;
  const int iterations = report.iterations + again.iterations;
  const int factorizations = report.factorizations + again.factorizations;
  const int evaluations = report.evaluations + again.evaluations;
  SolveTimes times = report.times;
  times += again.times;
  if (shifted) report = std::move(again);
  report.iterations = iterations;
  report.factorizations = factorizations;
  report.evaluations = evaluations;
  report.times = times;
  return report;
}

/// Where Φ is infinite beyond an edge, and falls all the way to it, steps end at the edge, each a part of the one
/// before: there is no minimum to be found.
SolveReport Newton::iterate(Objective& objective, NodalField& x) {
  constexpr double short_step = 1e-3;
  constexpr int in_a_row = 3;
  int jammed = 0;
  SolveReport report;
  hessian_.begin(objective, report);
  // What is pressed together and buckles needs some 100 at times; half of the step needs them as well.
  const int usual = objective.limits_path() ? 200 : 100;
  const int max_iterations = options_.iterations > 0 ? options_.iterations : usual;
  double phi = 0;
  if (!evaluate_guess(objective, x, g_, phi, report)) return report;
  report.status = SolveReport::Status::unconverged;
  bool cut = false;
  for (;; ++report.iterations) {
    refine(objective, x, cut, g_, phi, report);
    if (has_converged(objective, g_, options_.tolerance, report)) return report;
    if (is_out_of_time(report) || is_exhausted(objective, report)) return report;
    if (report.iterations == max_iterations) break;
    // As exact as pays off: the error left by an iterative solver falls with the residual, so that the last iterations
    // still converge quadratically, but not below what the goal asks for. [Eisenstat & Walker 1996; Kelley 1995, 6.3]
    const double enough = 0.3 * options_.tolerance / report.residual;
    const double forcing = std::clamp(std::max(report.residual, enough), 1e-12, 0.1);
    if (!hessian_.descend(objective, x, g_, d_, forcing, report)) {
      report.message = "no descent direction was found";
      return report;
    }
    report.linear = hessian_.description();
    const Stopwatch watch;
    const LineSearch::Result found = search_(objective, x, g_, d_, phi);
    report.times.search += watch.milliseconds();
    report.evaluations += found.evaluations;
    if (!found.found) {
      end_stalled(objective, objective.norm(g_), "the line search stalled", report);
      return report;
    }
    phi = found.value;
    cut = found.step < 1;
    jammed = found.walled && found.step < short_step ? jammed + 1 : 0;
    if (jammed == in_a_row) {
      report.message = fmt::format("after {} iterations it leads out of what the material allows", ++report.iterations);
      return report;
    }
  }
  if (objective.at_rounding(objective.norm(g_)))
    report.status = SolveReport::Status::converged;
  else
    report.message = fmt::format("{} iterations were not enough", report.iterations);
  return report;
}

}  // namespace brio
