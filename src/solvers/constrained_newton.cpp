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

double ConstrainedNewton::evaluate(const NodalField& x, const Eigen::VectorXd& lambda) {
  const double phi = objective_->gradient(x, r_);
  scratch_ = -lambda;
  J_n_.add_transposed(scratch_, r_);
  set_.evaluate(x, g_);
  force_norm_ = objective_->norm(r_);
  force_met_ = force_norm_ <= objective_->goal(options_.tolerance);
  return std::isfinite(phi) ? merit() : phi;
}

double ConstrainedNewton::merit() const { return std::hypot(force_norm_ / force_goal_, off() / length_goal_); }

bool ConstrainedNewton::find_direction(SolveReport& report) {
  if (!hessian_.make_and_solve(*objective_, *x_, r_, r_, d_, report)) return false;  // r_ = ∇Φ
  set_.jacobian(*x_, J_);
  J_.multiply(d_, lambda_step_);
  lambda_step_ -= g_;
  work_.set_zero();
  for (int k = 0; k < set_.equations(); ++k) {
    J_n_.put(k, work_);
    const bool solved = hessian_.solve(work_, column_, report);
    J_n_.clear(k, work_);
    if (!solved) return false;
    J_.multiply(column_, scratch_);
    S_.col(k) = scratch_;
  }
  rank_ = dense_(S_, lambda_step_);
  for_vertices(r_.size(), [&](std::size_t i) { r_[i] = -r_[i]; });
  J_n_.add_transposed(lambda_step_, r_);
  if (!hessian_.solve(r_, d_, report)) return false;
  lambda_step_ -= lambda_;
  return true;
}

bool ConstrainedNewton::converged(SolveReport& report) {
  report.residual = objective_->relative(force_norm_);
  return force_met_ && off() <= length_goal_;
}

double ConstrainedNewton::try_step(double step) {
  for_vertices(trial_.size(), [&](std::size_t i) { trial_[i] = (*x_)[i] + step * d_[i]; });
  lambda_next_ = lambda_ + step * lambda_step_;
  return evaluate(trial_, lambda_next_);
}

void ConstrainedNewton::accept(double) {
  std::swap(lambda_, lambda_next_);
  std::swap(*x_, trial_);
}

bool ConstrainedNewton::only_rounding_left() {
  evaluate(*x_, lambda_);
  return objective_->at_rounding(force_norm_) && off() <= length_goal_;
}

SolveReport ConstrainedNewton::solve(Objective& objective, const NodalField& x_n, NodalField& x) {
  constexpr double length_tolerance = 1e-12;
  SolveReport report;
  objective_ = &objective;
  x_ = &x;
  hessian_.begin(objective, report);
  set_.jacobian(x_n, J_n_);
  length_goal_ = length_tolerance * set_.scale(x_n);
  force_goal_ = 1;
  lambda_.setZero();
  if (!std::isfinite(evaluate(x, lambda_))) {
    objective.return_to_start(x);
    if (!std::isfinite(evaluate(x, lambda_))) {
      report.message = "the energy is not finite where the step starts";
      return report;
    }
  }
  force_goal_ = objective.goal(options_.tolerance);
  const int max_iterations = options_.iterations > 0 ? options_.iterations : 100;
  damped_newton(*this, merit(), max_iterations, report);
  report.linear = hessian_.description();
  if (report.converged()) return report;
  report.message = fmt::format("{} iterations left a constraint off by {:.1e} m", report.iterations, off());
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
