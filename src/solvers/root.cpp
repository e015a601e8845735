#include "solvers/root.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/timer.h"
#include "math/nodal_ops.h"

namespace brio {

void RootFinder::prepare(const Model& model) {
  if (g_.size() == model.vertices()) return;
  for (NodalField* field : {&g_, &d_, &trial_}) *field = NodalField(model.vertices());
}

SolveReport RootFinder::solve(StepObjective& objective, NodalField& x) {
  prepare(objective.model());
  SolveReport report;
  hessian_.begin(objective, report);
  const int most = options_.iterations > 0 ? options_.iterations : 100;
  double phi = 0;
  if (!evaluate_guess(objective, x, g_, phi, report)) return report;
  report.status = SolveReport::Status::unconverged;
  report.linear = hessian_.description();
  for (;; ++report.iterations) {
    if (has_converged(objective, g_, options_.tolerance, report)) return report;
    if (report.iterations == most) break;
    if (!find_direction(objective, x, report)) {
      report.message = "the Hessian is singular";
      return report;
    }
    const double norm = objective.norm(g_);  // the search leaves another gradient in g_
    if (!search(objective, x, norm, report)) {
      end_stalled(objective, norm, "the unbalanced force stopped decreasing", report);
      return report;
    }
  }
  report.message = fmt::format("{} iterations were not enough", report.iterations);
  return report;
}

bool RootFinder::find_direction(StepObjective& objective, const NodalField& x, SolveReport& report) {
  hessian_.assemble(objective, x, g_, report);
  const bool solved = hessian_.factor(report) && hessian_.solve(g_, d_, report);
  if (!solved) {
    const Stopwatch watch;
    indefinite_.compute(to_eigen(hessian_.matrix()));
    ++report.factorisations;
    report.times.factor += watch.milliseconds();
    if (indefinite_.info() != Eigen::Success) return false;
    rhs_.resize(static_cast<Eigen::Index>(3 * g_.size()));
    for (std::size_t i = 0; i < g_.size(); ++i) rhs_.segment<3>(static_cast<Eigen::Index>(3 * i)) = g_[i];
    solution_ = indefinite_.solve(rhs_);
    for (std::size_t i = 0; i < g_.size(); ++i) d_[i] = solution_.segment<3>(static_cast<Eigen::Index>(3 * i));
  }
  for_vertices(d_.size(), [&](std::size_t i) { d_[i] = -d_[i]; });
  return true;
}

bool RootFinder::search(StepObjective& objective, NodalField& x, double norm, SolveReport& report) {
  constexpr int most_halvings = 40;
  constexpr double enough = 1e-4;  // of the decrease that a full step promises
  const Stopwatch watch;
  double step = objective.domain_step(x, d_);
  bool found = false;
  for (int halvings = 0; halvings < most_halvings && !found; ++halvings, step *= 0.5) {
    for_vertices(x.size(), [&](std::size_t i) { trial_[i] = x[i] + step * d_[i]; });
    const double value = objective.gradient(trial_, g_);
    ++report.evaluations;
    found = std::isfinite(value) && objective.norm(g_) <= (1 - enough * step) * norm;
  }
  if (found) std::swap(x, trial_);
  report.times.search += watch.milliseconds();
  return found;
}

}  // namespace brio
