#include "integrators/island_targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numbers>

#include "model/memory.h"

namespace brio {

void IslandTargets::prepare(const Model& model) {
  model_ = &model;
  const std::size_t bodies = model.bodies().size();
  targets_.resize(bodies);
  lowest_.resize(bodies);
  energies_.resize(bodies);
  frames_.resize(bodies);
  outside_.resize(bodies);
  islands_.prepare(model);
}

bool IslandTargets::fits(const Memory& memory, const Model& model) {
  return memory.empty() || holds(memory, 0, 0, 3 * model.bodies().size());
}

void IslandTargets::begin(const State& state, const TimeStep& step) {
  state_ = &state;
  step_ = step;
  islands_.begin(step.end);
  islands_.meet(state);
}

bool IslandTargets::any_strays() const {
  return std::any_of(targets_.begin(), targets_.begin() + static_cast<long>(count()),
                     [](const IslandTarget& target) { return target.strays(); });
}

void IslandTargets::set_up(StepObjective& objective, double tolerance) {
  const State& state = *state_;
  islands_.number();
  islands_.measure(
      state, state.v, rule_.contact_counts, [](std::size_t) { return true; }, energies_);
  std::fill_n(frames_.begin(), count(), SupportFrame{});
  for (const Driven* support : model_->supports()) support->add_to_frames(state, step_, islands_.parts(), frames_);
  targets_.assign(targets_.size(), IslandTarget{});
  for (std::size_t i = 0; i < count(); ++i) {
    targets_[i].start = energies_[i];
    if (islands_.is_held(i) && frames_[i].points > 0)
      targets_[i].frame = frames_[i].displacement / (frames_[i].points * step_.h);
  }
  const std::vector<double>& numbers = state.memory.numbers;
  for (std::size_t b = 0; b < islands_.bodies_count(); ++b) {
    IslandTarget& target = of_body(b);
    lowest_[b] = islands_.body_gravity(b);
    if (!numbers.empty()) {
      target.before += numbers[3 * b];
      if (numbers[3 * b + 2] != 0) lowest_[b] = std::min(lowest_[b], numbers[3 * b + 1]);
    }
    target.lowest += lowest_[b];
    const Body& body = model_->bodies()[b];
    target.rounding += 16 * std::numeric_limits<double>::epsilon() *
                       objective.stored(body.first_vertex, body.first_vertex + body.mesh.vertices.size());
  }
  const double noise = step_.h * objective.goal(0), left = step_.h * objective.goal(tolerance);
  for (std::size_t i = 0; i < count(); ++i) {
    IslandTarget& target = targets_[i];
    const double in_play = seen(i, target.start, target.lowest), energy = steered_energy(i, target.start);
    target.in_play = std::max(target.before, 0.0) + std::max(in_play, 0.0);
    if (rule_.half_life > 0)
      target.decayed =
          std::max(0.0, -std::expm1(-std::numbers::ln2 * step_.h / rule_.half_life) * (target.before + in_play));
    target.before += energy - target.decayed;
    target.lowest -= islands_.mass(i) * step_.h * model_->gravity().dot(target.frame);
    target.rounding += 1e-13 * (std::abs(energy) + (islands_.is_held(i) ? std::abs(target.start.gravity) : 0)) +
                       noise * std::sqrt(2 * target.in_play) + 0.5 * left * left;
  }
}

double IslandTargets::steered_energy(std::size_t i, const IslandEnergy& energy) const {
  return energy.kinetic + energy.stored + (islands_.is_held(i) ? energy.gravity : 0);
}

double IslandTargets::seen(std::size_t i, const IslandEnergy& energy, double lowest) const {
  if (!islands_.is_held(i)) return energy.kinetic + std::abs(energy.stored);
  const Vec3& u = targets_[i].frame;
  return energy.kinetic - u.dot(energy.momentum) + 0.5 * islands_.mass(i) * u.squaredNorm() + std::abs(energy.stored) +
         energy.gravity - std::min(lowest, energy.gravity);
}

void IslandTargets::judge(std::size_t i) {
  IslandTarget& target = targets_[i];
  const IslandEnergy& energy = energies_[i];
  // Damping of elements that turn over within a step pushes them: energy that it gives so is none to keep.
  const double lost = std::max(outside_[i].loss, -0.01 * target.in_play);
  target.pushed = lost - outside_[i].loss;
  double gained = outside_[i].work - lost + target.work;  // of what is free: of springs that were let go
  if (!islands_.is_held(i)) gained -= outside_[i].force.dot(energy.moment - target.start.moment) / islands_.mass(i);
  target.e = steered_energy(i, energy) - (target.before + gained);
  const double ends_with = seen(i, energy, target.lowest) - target.e;
  target.allowed = rule_.epsilon * std::max(target.in_play, ends_with) + target.rounding;
}

void IslandTargets::gather_outside(const NodalField& x) {
  std::fill_n(outside_.begin(), count(), Outside{});
  const Forces forces = forces_(x);
  if (forces.damping == nullptr && forces.external == nullptr) return;
  const Parts parts = islands_.parts();
  for (std::size_t k = 0; k < x.size(); ++k) {
    Outside& outside = outside_[parts[static_cast<int>(k)]];
    const Vec3 moved = x[k] - state_->x[k];
    if (forces.damping != nullptr) outside.loss += (*forces.damping)[k].dot(moved);
    if (forces.external == nullptr) continue;
    outside.work += (*forces.external)[k].dot(moved);
    outside.force += (*forces.external)[k];
  }
}

bool IslandTargets::book(StepReport& report) {
  for (std::size_t i = 0; i < count(); ++i) {
    IslandTarget& target = targets_[i];
    report.damping_loss += target.decayed - target.unattainable() + target.pushed;
    const double error = target.e = target.error();
    if (!std::isfinite(error)) {
      report.status = StepReport::Status::failed;
      report.message =
          fmt::format("no end of the step with finite energy was found; choose a smaller h than {} s", step_.h);
      return false;
    }
    const double fraction = error == 0 ? 0 : rule_.epsilon * std::abs(error) / target.allowed;
    report.energy_error = std::max(report.energy_error, fraction);
    if (fraction <= (1 + 1e-9) * rule_.epsilon) continue;
    report.strayed = 1;
    if (fraction <= report.strayed_by) continue;
    report.strayed_by = fraction;
    report.strayed_body = islands_.first_body(i);
  }
  return true;
}

void IslandTargets::remember(Memory& memory) {
  std::vector<double>& numbers = memory.numbers;
  numbers.resize(3 * islands_.bodies_count());
  for (std::size_t b = 0; b < islands_.bodies_count(); ++b) {
    const bool held = islands_.is_held(islands_.of_body(b));
    const double level = lowest_[b] - islands_.body_mass(b) * step_.h * model_->gravity().dot(of_body(b).frame);
    numbers[3 * b + 1] = held ? std::min(level, islands_.body_gravity(b)) : islands_.body_gravity(b);
    numbers[3 * b + 2] = held ? 1 : 0;
  }
  islands_.deal([&](std::size_t i) { return -targets_[i].e; },
                [&](std::size_t b, double owed) { numbers[3 * b] = owed; });
}

}  // namespace brio
