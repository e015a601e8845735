#include "solvers/constrained_newton.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "math/nodal_ops.h"

namespace brio {

ConstrainedNewton::ConstrainedNewton(const SolverOptions& options, const Model& model)
    : options_(options), model_(&model), set_(model), hessian_(options) {
  const int m = set_.equations();
  J_n_ = J_ = ConstraintJacobian(m);
  S_ = Eigen::MatrixXd::Zero(m, m);
  g_ = lambda_ = lambda_step_ = lambda_next_ = scratch_ = Eigen::VectorXd::Zero(m);
  dense_ = DenseSolve(m);
  for (NodalField* field : {&r_, &d_, &work_, &column_, &trial_}) *field = NodalField(model.vertices());
}

double ConstrainedNewton::evaluate(StepObjective& objective, const NodalField& x, const Eigen::VectorXd& lambda) {
  const double phi = objective.gradient(x, r_);
  scratch_ = -lambda;
  J_n_.add_transposed(scratch_, r_);
  set_.evaluate(x, g_);
  force_norm_ = objective.norm(r_);
  force_met_ = force_norm_ <= objective.goal(options_.tolerance);
  const double off = g_.lpNorm<Eigen::Infinity>() / length_goal_;
  return std::isfinite(phi) ? std::hypot(force_norm_ / force_goal_, off) : phi;
}

bool ConstrainedNewton::find_direction(StepObjective& objective, const NodalField& x, SolveReport& report) {
  if (!hessian_.make(objective, x, r_, report)) return false;  // r_ = ∇Φ
  set_.jacobian(x, J_);
  hessian_.solve(r_, d_, report);
  J_.multiply(d_, lambda_step_);
  lambda_step_ -= g_;
  work_.set_zero();
  for (int k = 0; k < set_.equations(); ++k) {
    J_n_.put(k, work_);
    hessian_.solve(work_, column_, report);
    J_n_.clear(k, work_);
    J_.multiply(column_, scratch_);
    S_.col(k) = scratch_;
  }
  rank_ = dense_(S_, lambda_step_);
  for_vertices(r_.size(), [&](std::size_t i) { r_[i] = -r_[i]; });
  J_n_.add_transposed(lambda_step_, r_);
  hessian_.solve(r_, d_, report);
  lambda_step_ -= lambda_;
  return true;
}

SolveReport ConstrainedNewton::solve(StepObjective& objective, NodalField& x) {
  constexpr int most_halvings = 30;
  constexpr double enough = 1e-4;  // of the decrease that a full step promises
  constexpr double length_tolerance = 1e-12;
  SolveReport report;
  hessian_.begin(objective, report);
  set_.jacobian(objective.previous(), J_n_);
  length_goal_ = length_tolerance * set_.scale(objective.previous());
  force_goal_ = 1;
  lambda_.setZero();
  double merit = evaluate(objective, x, lambda_);
  if (!std::isfinite(merit)) {
    x = objective.previous();
    merit = evaluate(objective, x, lambda_);
  }
  if (!std::isfinite(merit)) {
    report.message = "the energy is not finite where the step starts";
    return report;
  }
  force_goal_ = objective.goal(options_.tolerance);
  merit = std::hypot(force_norm_ / force_goal_, g_.lpNorm<Eigen::Infinity>() / length_goal_);
  report.status = SolveReport::Status::unconverged;
  report.linear = hessian_.description();
  const int most = options_.iterations > 0 ? options_.iterations : 100;
  for (;; ++report.iterations) {
    report.residual = objective.relative(force_norm_);
    if (force_met_ && g_.lpNorm<Eigen::Infinity>() <= length_goal_) {
      report.status = SolveReport::Status::converged;
      return report;
    }
    if (report.iterations == most || !find_direction(objective, x, report)) break;
    bool found = false;
    double step = objective.domain_step(x, d_);
    for (int halvings = 0; halvings < most_halvings && !found; ++halvings, step *= 0.5) {
      for_vertices(x.size(), [&](std::size_t i) { trial_[i] = x[i] + step * d_[i]; });
      lambda_next_ = lambda_ + step * lambda_step_;
      const double next = evaluate(objective, trial_, lambda_next_);
      ++report.evaluations;
      found = next <= (1 - enough * step) * merit;
      if (!found) continue;
      std::swap(lambda_, lambda_next_);
      std::swap(x, trial_);
      merit = next;
    }
    if (found) continue;
    evaluate(objective, x, lambda_);
    if (objective.at_rounding(force_norm_) && g_.lpNorm<Eigen::Infinity>() <= length_goal_)
      report.status = SolveReport::Status::converged;
    break;
  }
  if (report.converged()) return report;
  report.message =
      fmt::format("{} iterations left a constraint off by {:.1e} m", report.iterations, g_.lpNorm<Eigen::Infinity>());
  if (rank_ < set_.equations())
    report.message +=
        fmt::format("; {} of {} equations repeat or contradict others", set_.equations() - rank_, set_.equations());
  return report;
}

void ConstrainedNewton::project(const NodalField& x, NodalField& v) {
  const auto& mass = model_->mass();
  set_.jacobian(x, J_);
  work_.set_zero();
  column_.set_zero();
  for (int k = 0; k < set_.equations(); ++k) {
    J_.put(k, work_);
    const ConstraintJacobian::Row& row = J_[k];
    for (const int vertex : {row.a, row.b}) column_[vertex] = work_[vertex] / mass[vertex];
    J_.clear(k, work_);
    J_.multiply(column_, scratch_);
    J_.clear(k, column_);
    S_.col(k) = scratch_;
  }
  J_.multiply(v, lambda_step_);
  lambda_step_ = -lambda_step_;
  dense_(S_, lambda_step_);
  J_.add_transposed(lambda_step_, work_);
  for_vertices(v.size(), [&](std::size_t i) { v[i] += work_[i] / mass[i]; });
}

}  // namespace brio
