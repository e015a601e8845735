/// What is tried when a step does not converge: its halves, then more patience, until the work that a step may do is
/// done.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/cancellation.h"
#include "core/time_budget.h"
#include "integrators/halving.h"
#include "integrators/implicit.h"

namespace brio {

/// Small bodies have more patience than large ones; where all repels that is near enough an evaluation may cost a
/// hundred times as much.
ImplicitIntegrator::Effort::Effort(const StepObjective& objective) {
  constexpr double least = 20000, blocks = 2e7, least_near = 5000, pairs = 3e8;
  const double small = blocks / std::max(static_cast<double>(objective.pattern()->blocks()), 1.0);
  const auto vertices = static_cast<double>(objective.pattern()->vertices());
  max_in_all = std::max(least, small);
  if (objective.limits_path()) max_in_all = std::clamp(pairs / (vertices * vertices), least_near, max_in_all);
  max_in_vain = max_in_all / (objective.limits_path() ? 50 : 10);
}
StepReport ImplicitIntegrator::advance_once(State& state, const TimeStep& step, bool last_resort) {
  hold_forces(state, step);
  last_resort_ = last_resort;
  missed_energy_ = missed_root_ = left_domain_ = solves_itself_ = false;
  return advance(*model_, state, step);
}

/// Where half of the step may be tried, the whole of it does not take all the work that there is.
void ImplicitIntegrator::limit_attempt(int halvings) {
  constexpr double part = 1.0 / 20, least = 2000;
  const bool may_halve = options_.unconverged == Unconverged::automatic || options_.unconverged == Unconverged::substep;
  if (!may_halve || searches_long_ || halvings == max_halvings) return;
  const double left = effort_.max_in_all - objective_->work();
  objective_->set_max_work(objective_->work() + std::min(left, std::max(part * left, least)));
}

StepReport ImplicitIntegrator::attempt(State& state, const TimeStep& step, int halvings) {
  constexpr int max_halvings_for_energy = 3;
  const bool tried_in_vain = effort_.in_vain > effort_.max_in_vain;
  if (halvings < effort_.halvings && tried_in_vain)  // what is longer than what was solved is not tried any more
    return halve(state, step, {.halvings = 1}, halvings);
  const bool is_smallest = halvings == max_halvings;
  if (is_smallest && effort_.persisted) return persist(state, step, {});
  const double work = objective_->work();
  limit_attempt(halvings);
  StepReport report = advance_once(state, step, halvings >= max_halvings_for_energy);
  objective_->set_max_work(effort_.max_in_all);
  if (report.ok()) return report;
  if (!missed_root_) effort_.in_vain += objective_->work() - work;  // else half of the step mostly does
  if (out_of_time()) throw Canceled{.out_of_time = true};           // what failed is not tried again
  const bool for_energy = missed_energy_;
  const bool needs_halves = left_domain_ || missed_root_;  // whatever is accepted otherwise
  const bool may_halve = for_energy || (needs_halves && options_.unconverged != Unconverged::stop) ||
                         options_.unconverged == Unconverged::substep ||
                         (options_.unconverged == Unconverged::automatic && (!ends_early_ || solves_itself_));
  if (!may_halve) return report;
  if (is_smallest && missed_root_) return end_at_guess(state, step, report);
  if (is_smallest) return for_energy ? report : persist(state, step, std::move(report));
  effort_.halvings = std::min(max_halvings, std::max(effort_.halvings, halvings + (tried_in_vain ? 2 : 1)));
  const StepReport before{.iterations = report.iterations,
                          .halvings = for_energy ? 0 : 1,
                          .energy_halvings = for_energy ? 1 : 0,
                          .times = report.times};
  report = halve(state, step, before, halvings);
  if (report.ok() || !for_energy) return report;
  StepReport whole = advance_once(state, step, true);  // the whole step could be solved
  whole.follow(before);
  return whole;
}

StepReport ImplicitIntegrator::halve(State& state, const TimeStep& step, const StepReport& before, int halvings) {
  return step_by_halves(state, step, *supports_, before, [&](State& from, const TimeStep& half) {
    effort_.spent = effort_.spent || objective_->is_exhausted();
    if (!effort_.spent) return attempt(from, half, halvings + 1);
    if (averages_paths_ == Averaging::adaptive && objective_->averages_path_forces() &&
        options_.unconverged != Unconverged::stop) {
      objective_->allow_work(effort_.max_in_vain);
      return end_at_guess(from, half, {});
    }
    if (may_take_residual() || options_.unconverged == Unconverged::accept) {
      takes_residual_ = true;
      objective_->allow_work(effort_.max_in_vain);
      StepReport rest = advance_once(from, half, true);
      takes_residual_ = false;
      return rest;
    }
    return StepReport{
        .status = StepReport::Status::failed,
        .message = fmt::format("the solver did not converge in steps of {:.3g} s, with the work of {:.0f} evaluations "
                               "in all; {}",
                               half.h, objective_->work(), remedy())};
  });
}

StepReport ImplicitIntegrator::persist(State& state, const TimeStep& step, StepReport failed) {
  const bool may_go_on = options_.iterations == 0;
  if (!may_go_on && !may_take_residual()) return failed;
  if (may_go_on && !patient_) {
    SolverOptions patient{.tolerance = options_.tolerance, .iterations = patience};
    if (options_.name == "newton") patient.linear = options_.linear;
    patient_ = make_solver(patient);
  }
  persists_ = may_go_on;
  takes_residual_ = effort_.persisted = true;
  StepReport report = advance_once(state, step, true);
  persists_ = takes_residual_ = false;
  report.iterations += failed.iterations;
  report.times += failed.times;
  return report;
}

}  // namespace brio
