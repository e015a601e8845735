#include "solvers/newton.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/timer.h"

namespace brio {

void Newton::prepare(const Model& model) {
  if (pattern_ == model.pattern()) return;
  pattern_ = model.pattern();
  H_ = std::make_unique<BlockMatrix>(pattern_);
  linear_ = make_linear_solver(options_.linear, pattern_);
  iterative_ = is_iterative(options_.linear, *pattern_);
  g_ = NodalField(model.vertices());
  d_ = NodalField(model.vertices());
  diagonal_.resize(model.vertices());
}

SolveReport Newton::solve(StepObjective& objective, NodalField& x) {
  prepare(objective.model());
  SolveReport report;
  if (iterative_ && matrix_.prepare(objective, report)) linear_->precondition(matrix_.factor());
  was_indefinite_ = false;
  const int most = options_.iterations > 0 ? options_.iterations : 100;
  Stopwatch watch;
  double phi = objective.gradient(x, g_);
  if (!std::isfinite(phi)) {  // the guess lies outside the domain of a barrier-like material
    x = objective.previous();
    phi = objective.gradient(x, g_);
  }
  report.times.assembly += watch.milliseconds();
  if (!std::isfinite(phi)) {
    report.message = "the energy is not finite where the step starts";
    return report;
  }
  report.status = SolveReport::Status::unconverged;
  for (;; ++report.iterations) {
    const double norm = objective.norm(g_);
    report.residual = objective.relative(norm);
    if (norm <= objective.goal(options_.tolerance)) {
      report.status = SolveReport::Status::converged;
      return report;
    }
    if (report.iterations == most) break;
    if (!find_direction(objective, x, report)) {
      report.message = "no descent direction was found";
      return report;
    }
    report.linear = linear_->description().c_str();
    watch = {};
    const LineSearch::Result found = search_(objective, x, g_, d_, phi);
    report.times.search += watch.milliseconds();
    report.evaluations += found.evaluations;
    if (!found.found) {
      if (objective.at_rounding(norm)) {
        report.status = SolveReport::Status::converged;
        return report;
      }
      report.message = fmt::format("the line search stalled after {} iterations", report.iterations);
      return report;
    }
    phi = found.value;
  }
  report.message = fmt::format("{} iterations were not enough", report.iterations);
  return report;
}

void Newton::assemble(StepObjective& objective, const NodalField& x, Curving curving, SolveReport& report) {
  const Stopwatch watch;
  objective.hessian(x, curving, g_, *H_);
  report.times.assembly += watch.milliseconds();
}

/// d_ = -H⁻¹ g_; false when H is seen not to be positive definite.
bool Newton::solve_for_direction(SolveReport& report) {
  Stopwatch watch;
  const bool positive = linear_->factor(*H_);
  report.times.factor += watch.milliseconds();
  ++report.factorisations;
  if (!positive) return false;
  watch = {};
  // As exact as pays off: the error left by an iterative solver falls with the residual, so that the last iterations
  // still converge quadratically. [Eisenstat & Walker 1996]
  const LinearReport solved = linear_->solve(g_, d_, std::clamp(report.residual, 1e-12, 0.1));
  for_vertices(d_.size(), [&](std::size_t i) { d_[i] = -d_[i]; });
  report.times.solve += watch.milliseconds();
  return !solved.indefinite;
}

bool Newton::find_direction(StepObjective& objective, const NodalField& x, SolveReport& report) {
  constexpr double near = 1e-2;  // residual below which curvature may have become positive
  if (!was_indefinite_ || options_.definite == "tikhonov" || report.residual < near) {
    assemble(objective, x, Curving::exact, report);
    if (solve_for_direction(report)) return true;
    was_indefinite_ = true;
  }
  if (options_.definite == "project") {
    assemble(objective, x, Curving::positive, report);
    if (solve_for_direction(report)) return true;
  }
  // Also where the positive part alone is beyond what Cholesky can factor.
  double before = 0;
  for (double shift = 1e-10; shift < 1e10; before = shift, shift *= 10) {
    for (int j = 0; j < pattern_->vertices(); ++j) {
      double* block = H_->block(pattern_->column_start[j]);
      if (before == 0) diagonal_[j] = std::max({std::abs(block[0]), std::abs(block[4]), std::abs(block[8])});
      for (int c = 0; c < 3; ++c) block[4 * c] += (shift - before) * diagonal_[j];
    }
    if (solve_for_direction(report)) return true;
  }
  return false;
}

}  // namespace brio
