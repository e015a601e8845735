/// Steps with forces that have no potential (model/path_force.h): roots of equations, found from a minimum.
#include <fmt/format.h>

#include <algorithm>

#include "integrators/implicit.h"

namespace brio {

ImplicitIntegrator::Guess ImplicitIntegrator::find_guess(Solver& solver, const NodalField& x_n, StepReport& report) {
  constexpr double enough = 1e-3;
  // Where nothing touches yet the minimum may be the step itself; else a guess is all that is wanted.
  const bool touches = objective_->linearize_path_forces(x_n);
  const bool rough = !ends_at_guess_ && (touches || averages_paths_ == Averaging::discrete);
  if (rough && !rough_)
    rough_ = make_solver({.tolerance = std::max(enough, options_.tolerance), .linear = options_.linear});
  if (averages_paths_ == Averaging::discrete) objective_->average_paths(Averaging::none);  // which have a potential
  objective_->settle();
  Guess guess;
  if (!admit_guess(solver, report)) return guess;
  guess.solved = (rough ? *rough_ : solver).solve(*objective_, x_next_);
  if (averages_paths_ == Averaging::discrete) objective_->average_paths(averages_paths_);
  guess.is_step = !touches && !objective_->linearize_path_forces(x_next_);
  return guess;
}

bool ImplicitIntegrator::solve_root(Solver& solver, double h, const NodalField& x_n, StepReport& report) {
  const Guess guess = find_guess(solver, x_n, report);
  if (!report.ok()) return false;
  if (guess.is_step || guess.solved.out_of_time || ends_at_guess_) {
    if (accept(guess.solved, h, report)) bring_end_within(report, [&] { return solver.solve(*objective_, x_next_); });
    return report.ok();
  }
  count(guess.solved, report);
  objective_->unsettle();
  constexpr int enough = 50;  // iterations; some ten do
  if (!root_)
    root_ =
        make_solver({.name = "root", .tolerance = options_.tolerance, .iterations = enough, .linear = options_.linear});
  start_ = x_next_;
  const SolveReport solved = root_->solve(*objective_, x_next_);
  if (solved.out_of_time) x_next_ = start_;
  if (solved.converged() || solved.out_of_time) return accept(solved, h, report);
  count(solved, report);
  missed_root_ = true;
  report.status = StepReport::Status::failed;
  report.message = fmt::format("the forces of contact were not balanced: {}, residual {:.1e}; {}", solved.message,
                               solved.residual, remedy());
  return false;
}

StepReport ImplicitIntegrator::end_at_guess(State& state, const TimeStep& step, const StepReport& failed) {
  ends_at_guess_ = true;
  StepReport report = advance_once(state, step, true);
  ends_at_guess_ = false;
  report.iterations += failed.iterations;
  report.times += failed.times;
  report.unconverged = true;
  return report;
}

}  // namespace brio
