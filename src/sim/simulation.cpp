#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "brio/sim.h"
#include "core/cancellation.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/time_budget.h"
#include "core/timer.h"
#include "integrators/stage_work.h"
#include "model/damping.h"
#include "model/driven.h"
#include "model/grabs.h"
#include "model/memory.h"

namespace brio {
namespace {

[[noreturn]] void refuse(const char* key, const std::string& value, const char* problem, const char* advice = "") {
  throw InputError({.key = key, .value = value, .problem = problem, .advice = advice});
}

/// Whatever a state says is believed from here on.
void check_state(const Model& model, const Integrator& integrator, const State& state) {
  if (state.x.size() != model.vertices() || state.v.size() != model.vertices())
    refuse("state", fmt::format("{} vertices", state.x.size()), "must have the model's vertices");
  if (!is_finite(state.x) || !is_finite(state.v)) refuse("state", "", "positions and velocities must be finite");
  if (!std::isfinite(state.time)) refuse("state.time", fmt::format("{}", state.time), "must be finite");
  constexpr std::int64_t max_steps = std::int64_t{1} << 53;  // as many as a time can be told by
  if (state.step < 0 || std::int64_t{state.step} > max_steps)
    refuse("state.step", fmt::format("{}", state.step), "must be in [0, 2^53]");
  if (!is_finite(state.memory) || !integrator.fits(state.memory, model))
    refuse("state.memory", "", "is not of the integrator in use", "clear it, and the integrator starts afresh");
  const auto& interactions = model.interactions();
  if (!state.histories.empty() && state.histories.size() != interactions.size())
    refuse("state.histories", fmt::format("{}", state.histories.size()), "must be one per interaction of the model");
  for (std::size_t i = 0; i < state.histories.size(); ++i) {
    const Memory& history = state.histories[i];
    bool fits = is_finite(history) && interactions[i]->fits(history);
    if (fits && !history.empty() && dynamic_cast<const Hands*>(interactions[i].get()) != nullptr)
      fits = Hands::fits(history, *model.pattern());
    if (!fits) refuse("state.histories", interactions[i]->name(), "is the history of something else");
  }
}

/// What the ledger cannot hold.
const char* endless_part(const LedgerRow& row) {
  const std::pair<const char*, double> parts[]{
      {"kinetic energy", row.kinetic},
      {"elastic energy", row.elastic},
      {"gravity energy", row.gravity},
      {"energy of contact, perhaps because bodies went through each other,", row.contact},
      {"work done from outside", row.user_work},
      {"loss to damping", row.damping_loss},
      {"loss to friction", row.friction_loss},
      {"linear momentum", row.linear.sum()},
      {"angular momentum", row.angular.sum()}};
  for (const auto& [name, value] : parts)
    if (!std::isfinite(value)) return name;
  return "energy balance";
}

/// What it took to move bodies from where they were given to where they are, contact apart [J].
double work_of_moving(const Model& model, const State& state, const NodalField& given) {
  const std::size_t numbers = NodalField::stride * given.size();
  if (std::equal(given.data(), given.data() + numbers, state.x.data())) return 0;
  const auto energy = [&](const NodalField& x) {
    double sum = model.gravity_energy(x);
    for (const Body& body : model.bodies()) sum += model.elastic_energy(body.id, {x, Moment::at(state.time)});
    return sum;
  };
  return energy(state.x) - energy(given);
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
      options_(options.options),
      integrator_(make_integrator(*method_, options_, model_)),
      clock_{.h = checked_step(options.h)} {
  if (model_.vertices() == 0) refuse("model", "", "has no bodies");
  for (Driven* support : model_.supports())
    if (hands_ == nullptr) hands_ = dynamic_cast<Hands*>(support);  // of a model that was simulated before
  if (hands_ == nullptr) {
    auto hands = std::make_unique<Hands>(model_, model_.add_free(std::make_unique<GrabSprings>()));
    hands_ = hands.get();
    model_.add_support(std::move(hands));
  }
  add_velocity_damping(model_);
  if (state_.x.size() == 0) state_ = model_.rest_state();
  // A state of another model whose interactions had nothing to remember fits all models.
  if (std::ranges::all_of(state_.histories, [](const Memory& memory) { return memory.empty(); }))
    state_.histories.clear();
  check_state(model_, *integrator_, state_);
  for (std::size_t i = 0; i < model_.vertices(); ++i)
    if (model_.pinned()[i] != 0) state_.v[i].setZero();
  const NodalField given = state_.x;
  recall_interactions(model_, state_);  // which may set apart what touches
  const double work = work_of_moving(model_, state_, given);
  count_hands();
  place_driven(model_, state_, state_.time, Side::after, state_.x, state_.v);
  row_ = measure(model_, state_);
  row_.user_work = work;
  if (!row_.finite()) refuse("state", "", "has infinite energy; perhaps elements are inverted");
  clock_.start = state_.time;
  clock_.first = state_.step;
  start_total_ = row_.total - row_.user_work;
  good_ = state_;
}

StepReport Simulation::step_once() {
  check_accounts(*integrator_, method_->name, model_);  // hands and paths come between steps
  hands_->rest_from(state_.time, model_, state_);
  Exchange exchange;
  begin_interactions(model_, state_, clock_, exchange);
  if (exchange.changed) integrator_->disturbed(state_);
  if (!model_.interactions().empty()) before_ = state_;

  StepReport report = integrator_->step(model_, state_, clock_.step_from(state_.step));
  if (!report.ok()) return report;
  exchange.changed = false;
  exchange.path_was_limited = integrator_->limits_paths();
  end_interactions(model_, before_, state_, clock_, exchange);
  if (exchange.changed) integrator_->disturbed(state_);
  report.user_work += exchange.user_work;
  report.damping_loss += exchange.damping_loss;
  report.contact_loss += exchange.contact_loss;
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

StepReport Simulation::advance(int count, LedgerRow& row) {
  StepReport all;
  for (int i = 0; i < count && all.ok(); ++i) {
    StepReport report = step_once();
    report.follow(all);
    count_linear_solver(report.linear);
    all = std::move(report);
    state_.time = clock_.time_of(state_.step);
  }
  if (!all.ok()) return all;
  row = measure(model_, state_);
  row.user_work = row_.user_work + all.user_work;
  row.damping_loss = row_.damping_loss + all.damping_loss;
  row.friction_loss = row_.friction_loss + all.friction_loss;
  row.residual = row.total - (start_total_ + row.user_work - row.damping_loss - row.friction_loss);
  row.alpha = all.alpha;
  row.iterations = all.iterations;
  if (row.finite()) return all;
  all.status = StepReport::Status::failed;
  all.message = fmt::format(
      "the {} is not finite after step {}; choose a smaller h than {} s, or weaker forces and "
      "slower motions of what is driven",
      endless_part(row), state_.step, clock_.h);
  return all;
}

StepReport Simulation::step(int count, const StepControl& control) {
  if (count < 1) refuse("count", fmt::format("{}", count), "must be at least 1");
  if (!(control.milliseconds >= 0)) refuse("milliseconds", fmt::format("{}", control.milliseconds), "must be >= 0");
  const Stopwatch watch;
  good_ = state_;
  StepReport report{.status = StepReport::Status::failed};
  LedgerRow row;
  bool cut_short = true;
  try {
    constexpr double endless = std::numeric_limits<double>::infinity();
    const bool finishes = control.on_time_out == OnTimeOut::finish_with_best;
    const TimeBudget budget(finishes ? control.milliseconds : endless);
    const Cancellation cancellation(control.stop, finishes ? endless : control.milliseconds);
    const CancelScope scope(&cancellation);
    report = advance(count, row);
    cut_short = false;
  } catch (const Canceled& canceled) {
    report.status = StepReport::Status::canceled;
    report.message = canceled.out_of_time ? fmt::format("not done within {} ms", control.milliseconds) : "canceled";
  } catch (const InputError& error) {
    report.message = error.what();
  } catch (const std::bad_alloc&) {
    report.message = fmt::format("step {} ran out of memory; {} may be used; choose a coarser mesh or fewer bodies",
                                 good_.step + 1, size_text(memory_limit()));
  } catch (...) {  // of energies, forces and methods of others, whose affair it is
    undo_step(cut_short);
    throw;
  }
  times_ += report.times;
  if (!report.ok()) {
    undo_step(cut_short);
    row_.failed = report.status == StepReport::Status::failed;
    return report;
  }
  row.ms = watch.milliseconds();
  row_ = row;
  return report;
}

void Simulation::undo_step(bool cut_short) {
  std::swap(state_, good_);
  recall_interactions(model_, state_);
  // A workspace that is half made would mislead the steps to come.
  if (cut_short) integrator_ = make_integrator(*method_, options_, model_);
}

void Simulation::set_clock(const Clock& clock) {
  clock_ = clock;
  const double before = measure(model_, state_).total;
  if (!hands_->move_within(clock_.step_from(state_.step), model_, state_)) return;
  place_driven(model_, state_, state_.time, Side::after, state_.x, state_.v);  // pins are under way already
  book(before);
}

void Simulation::use(const SimulationOptions& options) {
  const Method& method = find_integrator(options.integrator);
  const double h = checked_step(options.h);
  integrator_ = make_integrator(method, options.options, model_);
  options_ = options.options;
  method_ = &method;
  state_.memory = {};
  set_clock({.start = state_.time, .first = state_.step, .h = h});
}

void Simulation::restore(const Snapshot& snapshot) {
  if (snapshot.composition != 0 && snapshot.composition != model_.composition())
    refuse("snapshot", "", "is of other bodies or colliders: some were added or removed since, or before",
           "take a new one after such edits");
  State state = snapshot.state;
  if (!snapshot.integrator.empty() && snapshot.integrator != method_->name) state.memory.clear();
  check_state(model_, *integrator_, state);
  if (!snapshot.ledger.finite() || !std::isfinite(snapshot.start_total))
    refuse("snapshot.ledger", "", "must be finite");
  const Clock& clock = snapshot.clock;
  if (!std::isfinite(clock.start) || !(clock.h > 0) || !std::isfinite(clock.h) || clock.first < 0 ||
      clock.first > snapshot.state.step)
    refuse("snapshot.clock", "", "must have started before the state, with a finite step");
  std::swap(state_, state);
  recall_interactions(model_, state_);
  if (!measure(model_, state_).finite()) {
    std::swap(state_, state);
    recall_interactions(model_, state_);
    refuse("snapshot", "", "has infinite energy; perhaps a material was changed, and elements are inverted");
  }
  count_hands();
  start_total_ = snapshot.start_total;
  row_ = snapshot.ledger;
  // Of a model that was changed since, the same state has another energy.
  if (snapshot.changes != changes_) book(row_.total);
  if (clock.h == clock_.h)
    clock_ = clock;
  else
    set_clock({.start = state_.time, .first = state_.step, .h = clock_.h});
}

std::uint64_t Simulation::hash() const {
  const auto rows = [](const NodalField& field) {
    return std::span<const double>(field.data(), NodalField::stride * field.size());
  };
  const double when[]{state_.time, static_cast<double>(state_.step)};
  return hash_doubles(when, hash_doubles(rows(state_.v), hash_doubles(rows(state_.x))));
}

}  // namespace brio
