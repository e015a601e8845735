#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "brio/sim.h"
#include "core/hash.h"
#include "core/timer.h"
#include "model/force.h"
#include "model/interaction.h"

namespace brio {
namespace {

bool finite(const NodalField& field) {
  for (std::size_t i = 0; i < field.size(); ++i)
    if (!field[i].allFinite()) return false;
  return true;
}

[[noreturn]] void refuse(const char* key, const std::string& value, const char* problem) {
  throw InputError({.key = key, .value = value, .problem = problem});
}

double checked_step(double h) {
  if (!(std::isfinite(h) && h > 0)) refuse("h", fmt::format("{}", h), "must be > 0");
  return h;
}

}  // namespace

Simulation::Simulation(Model model, const SimulationOptions& options)
    : Simulation(std::move(model), State{}, options) {}

Simulation::Simulation(Model model, State state, const SimulationOptions& options)
    : model_(std::move(model)),
      state_(std::move(state)),
      method_(&find_integrator(options.integrator)),
      integrator_(make_integrator(*method_, options.options, model_)),
      h_(checked_step(options.h)) {
  if (model_.vertices() == 0) refuse("model", "", "has no bodies");
  if (state_.x.size() == 0) state_ = model_.rest_state();
  if (state_.x.size() != model_.vertices() || state_.v.size() != model_.vertices())
    refuse("state", fmt::format("{} vertices", state_.x.size()), "must have the model's vertices");
  if (!finite(state_.x) || !finite(state_.v)) refuse("state", "", "positions and velocities must be finite");
  for (std::size_t i = 0; i < model_.vertices(); ++i)
    if (model_.pinned()[i] != 0) state_.v[i].setZero();
  recall_interactions(model_, state_);
  row_ = measure(model_, state_);
  if (!row_.finite()) refuse("state", "", "has infinite energy; perhaps elements are inverted");
  start_time_ = state_.time;
  start_step_ = state_.step;
  start_total_ = row_.total;
  good_ = state_;
}

/// Forces from outside are taken in the middle of the step, and their work as that of what they were at its start.
StepReport Simulation::step_once() {
  Exchange exchange;
  begin_interactions(model_, state_, h_, exchange);
  if (exchange.changed) integrator_->disturbed(state_);
  bool pushed = false;
  for (const auto& force : model_.forces()) {
    force->set_time(state_.time + h_ / 2);
    pushed = pushed || force->external();
  }
  if (pushed) {
    if (load_.size() != model_.vertices()) load_ = NodalField(model_.vertices());
    load_.set_zero();
    for (const auto& force : model_.forces())
      if (force->external()) force->add(state_.x, state_.v, load_);
  }
  if (pushed || !model_.interactions().empty()) before_ = state_;

  StepReport report = integrator_->step(model_, state_, h_);
  if (!report.ok()) return report;
  if (pushed)
    for (std::size_t i = 0; i < load_.size(); ++i) exchange.user_work += load_[i].dot(state_.x[i] - before_.x[i]);
  exchange.changed = false;
  end_interactions(model_, before_, state_, h_, exchange);
  if (exchange.changed) integrator_->disturbed(state_);
  report.user_work += exchange.user_work;
  report.damping_loss += exchange.damping_loss;
  report.friction_loss += exchange.friction_loss;
  return report;
}

void Simulation::count_linear_solver(const char* used) {
  if (*used == 0) return;
  for (auto& [name, steps] : linear_solvers_)
    if (name == used) {
      ++steps;
      return;
    }
  linear_solvers_.emplace_back(used, 1);
}

StepReport Simulation::step(int count) {
  if (count < 1) refuse("count", fmt::format("{}", count), "must be at least 1");
  const Stopwatch watch;
  good_ = state_;
  StepReport all;
  for (int i = 0; i < count && all.ok(); ++i) {
    StepReport report = step_once();
    report.follow(all);
    count_linear_solver(report.linear);
    all = std::move(report);
    // A product, since a sum would collect rounding.
    state_.time = start_time_ + h_ * static_cast<double>(state_.step - start_step_);
  }
  times_ += all.times;
  LedgerRow row = measure(model_, state_);
  if (all.ok() && !row.finite()) {
    all.status = StepReport::Status::failed;
    all.message = fmt::format("the energy is not finite after step {}; choose a smaller h than {} s", state_.step, h_);
  }
  if (!all.ok()) {
    std::swap(state_, good_);
    recall_interactions(model_, state_);
    row_.failed = true;
    return all;
  }
  row.user_work = row_.user_work + all.user_work;
  row.damping_loss = row_.damping_loss + all.damping_loss;
  row.friction_loss = row_.friction_loss + all.friction_loss;
  row.residual = row.total - (start_total_ + row.user_work - row.damping_loss - row.friction_loss);
  row.alpha = all.alpha;
  row.iterations = all.iterations;
  row.ms = watch.milliseconds();
  row_ = row;
  return all;
}

void Simulation::use(const SimulationOptions& options) {
  const Method& method = find_integrator(options.integrator);
  const double h = checked_step(options.h);
  integrator_ = make_integrator(method, options.options, model_);
  method_ = &method;
  h_ = h;
  state_.memory = {};
  start_time_ = state_.time;
  start_step_ = state_.step;
}

void Simulation::restore(const Snapshot& snapshot) {
  if (snapshot.state.x.size() != model_.vertices() || snapshot.state.v.size() != model_.vertices())
    refuse("snapshot", fmt::format("{} vertices", snapshot.state.x.size()), "must have the model's vertices");
  state_ = snapshot.state;
  recall_interactions(model_, state_);
  row_ = snapshot.ledger;
}

std::uint64_t Simulation::hash() const {
  const auto rows = [](const NodalField& field) {
    return std::span<const double>(field.data(), NodalField::stride * field.size());
  };
  const double when[]{state_.time, static_cast<double>(state_.step)};
  return hash_doubles(when, hash_doubles(rows(state_.v), hash_doubles(rows(state_.x))));
}

}  // namespace brio
