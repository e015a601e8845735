#include "solvers/root.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "core/timer.h"
#include "math/nodal_ops.h"

namespace brio {

void RootFinder::prepare(std::size_t vertices) {
  if (g_.size() == vertices) return;
  for (NodalField* field : {&g_, &d_, &trial_, &trial_g_}) *field = NodalField(vertices);
}

SolveReport RootFinder::solve(Objective& objective, NodalField& x) {
  prepare(x.size());
  SolveReport report;
  objective_ = &objective;
  x_ = &x;
  hessian_.begin(objective, report);
  double phi = 0;
  if (!evaluate_guess(objective, x, g_, phi, report)) return report;
  const int max_iterations = options_.iterations > 0 ? options_.iterations : 100;
  switch (damped_newton(*this, objective.norm(g_), max_iterations, report)) {
    case NewtonEnd::converged:
    case NewtonEnd::out_of_time:
      break;
    case NewtonEnd::too_many_iterations:
      report.message = fmt::format("{} iterations were not enough", report.iterations);
      break;
    case NewtonEnd::exhausted:
      report.message = "too much work";
      break;
    case NewtonEnd::no_direction:
      report.message = "the Hessian is singular";
      break;
    case NewtonEnd::stalled:
      report.message = fmt::format("the unbalanced force stopped decreasing after {} iterations", report.iterations);
      break;
  }
  report.linear = hessian_.description();
  return report;
}

bool RootFinder::converged(SolveReport& report) {
  double phi = 0;
  refine(*objective_, *x_, false, g_, phi, report);
  norm_ = objective_->norm(g_);
  return has_converged(*objective_, g_, options_.tolerance, report);
}

bool RootFinder::find_direction(SolveReport& report) {
  if (!objective_->has_potential()) return solve_nonsymmetric(report);
  hessian_.assemble(*objective_, *x_, g_, report);
  const bool solved = hessian_.factor(report) && hessian_.solve(g_, d_, report);
  if (!solved && !solve_indefinite(report)) return false;
  for_vertices(d_.size(), [&](std::size_t i) { d_[i] = -d_[i]; });
  return true;
}

bool RootFinder::solve_indefinite(SolveReport& report) {
  const Stopwatch watch;
  constexpr int slower = 8;  // than Cholesky's: it is analyzed anew and works by single numbers
  indefinite_.compute(to_eigen(hessian_.matrix()));
  report.factorizations += slower;
  report.times.factor += watch.milliseconds();
  if (indefinite_.info() != Eigen::Success) return false;
  rhs_.resize(static_cast<Eigen::Index>(3 * g_.size()));
  for (std::size_t i = 0; i < g_.size(); ++i) rhs_.segment<3>(static_cast<Eigen::Index>(3 * i)) = g_[i];
  solution_ = indefinite_.solve(rhs_);
  for (std::size_t i = 0; i < g_.size(); ++i) d_[i] = solution_.segment<3>(static_cast<Eigen::Index>(3 * i));
  return true;
}

bool RootFinder::solve_nonsymmetric(SolveReport& report) {
  constexpr double tolerance = 1e-6;  // nothing is lost of quadratic convergence until rounding
  if (minus_.size() != g_.size()) {
    minus_ = NodalField(g_.size());
    gmres_.prepare(g_.size());
  }
  const Stopwatch watch;
  objective_->linearize(*x_);
  report.times.assembly += watch.milliseconds();
  for_vertices(g_.size(), [&](std::size_t i) { minus_[i] = -g_[i]; });
  if (!hessian_.make_and_solve(*objective_, *x_, trial_g_, minus_, d_, report)) return false;
  const auto product = [&](const NodalField& v, NodalField& Jv) { objective_->multiply(v, Jv); };
  const auto precondition = [&](const NodalField& v, NodalField& z) { return hessian_.solve(v, z, report); };
  gmres_.solve(
      minus_, tolerance, product, precondition, [](std::size_t) { return 1.0; }, d_);
  return sum_.finite(d_);
}

double RootFinder::try_step(double step) {
  for_vertices(trial_.size(), [&](std::size_t i) { trial_[i] = (*x_)[i] + step * d_[i]; });
  const double value = objective_->gradient(trial_, trial_g_);
  return std::isfinite(value) ? objective_->norm(trial_g_) : std::numeric_limits<double>::infinity();
}

void RootFinder::accept(double) {
  std::swap(*x_, trial_);
  std::swap(g_, trial_g_);
}

}  // namespace brio
