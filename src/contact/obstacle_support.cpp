#include "contact/obstacle_support.h"

#include <algorithm>

namespace brio {

ObstacleSupport::ObstacleSupport(Model& model, EnergyId contact, EnergyId energy)
    : contact_id_(contact), energy_id_(energy) {
  rebind(model);
}

void ObstacleSupport::rebind(Model& model) {
  contact_ = &dynamic_cast<const SelfContact&>(model.energy(contact_id_));
  energy_ = &model.energy(energy_id_);
  teller_ = &dynamic_cast<const ObstacleEnergy&>(*energy_);
  body_of_.assign(model.vertices(), 0);
  first_of_.clear();
  ids_.clear();
  for (const Body& body : model.bodies()) {
    std::fill_n(body_of_.begin() + body.first_vertex, body.mesh.vertices.size(), static_cast<int>(ids_.size()));
    first_of_.push_back(body.first_vertex);
    ids_.push_back(body.id);
  }
  std::size_t slots = 0;
  first_slot_.clear();
  for (const ContactObstacle& obstacle : obstacles()) {
    first_slot_.push_back(slots);
    slots += ids_.size() * obstacle.handles();
  }
  if (slots != forces_.size()) forces_ = MeanForces(slots);
}

bool ObstacleSupport::wants_forces() const { return std::ranges::any_of(obstacles(), &ContactObstacle::moves); }

template <class Visit>
void ObstacleSupport::for_forces(const Configuration& at, Visit&& visit) const {
  teller_->for_obstacle_forces(at, [&](const ContactPair& pair, std::size_t k, const Vec3& gradient) {
    visit(static_cast<std::size_t>(pair.obstacle), static_cast<std::size_t>(body_of_[pair.body]), k, gradient);
  });
}

void ObstacleSupport::add_forces(const Configuration& at, const NodalField&, double weight) {
  for_forces(at, [&](std::size_t obstacle, std::size_t body, std::size_t k, const Vec3& gradient) {
    obstacles()[obstacle].add_force(k, weight * gradient, &forces_[slot(obstacle, body)]);
  });
}

void ObstacleSupport::scale_forces(const Parts& parts, std::span<const double> factors) {
  for (std::size_t o = 0; o < first_slot_.size(); ++o)
    for (std::size_t b = 0; b < ids_.size(); ++b)
      for (std::size_t q = 0; q < obstacles()[o].handles(); ++q)
        forces_[slot(o, b) + q] *= factors[parts[first_of_[b]]];
}

void ObstacleSupport::add_work(const State&, const NodalField&, const TimeStep& step, const Parts& parts,
                               std::span<SupportWork> works) const {
  std::vector<Vec3> from, to;
  for (std::size_t o = 0; o < first_slot_.size(); ++o) {
    const ContactObstacle& obstacle = obstacles()[o];
    if (obstacle.moves()) {
      obstacle.handles_at(step.start, from);
      obstacle.handles_at(step.end, to);
    }
    for (std::size_t b = 0; b < ids_.size(); ++b) {
      SupportWork& work = works[parts[first_of_[b]]];
      const std::size_t handles = obstacle.handles(), first = slot(o, b);
      for (std::size_t q = 0; q < handles; ++q) {
        const Vec3& force = forces_[first + q];
        if (q == 0 || obstacle.deforms()) work.impulse += step.h * force;
        if (obstacle.moves()) work.energy += force.dot(to[q] - from[q]);
      }
    }
  }
}

double ObstacleSupport::power(const State&, const Configuration& at, const NodalField&, Side side) const {
  if (!wants_forces()) return 0;
  std::vector<std::vector<Vec3>> rates(first_slot_.size()), forces(first_slot_.size());
  for (std::size_t o = 0; o < rates.size(); ++o) {
    obstacles()[o].handle_rates_at(at.when.to, side, rates[o]);
    forces[o].assign(rates[o].size(), Vec3::Zero());
  }
  for_forces(at, [&](std::size_t obstacle, std::size_t, std::size_t k, const Vec3& gradient) {
    obstacles()[obstacle].add_force(k, gradient, forces[obstacle].data());
  });
  double power = 0;
  for (std::size_t o = 0; o < rates.size(); ++o)
    for (std::size_t q = 0; q < rates[o].size(); ++q) power += forces[o][q].dot(rates[o][q]);
  return power;
}

/// Each obstacle once for each part that may feel it.
void ObstacleSupport::add_to_frames(const State&, const TimeStep& step, const Parts& parts,
                                    std::span<SupportFrame> frames) const {
  if (energy_id_ != contact_id_) return;  // friction is where contact is
  for (const ContactObstacle& obstacle : obstacles()) {
    const Pose from = obstacle.pose_at(step.start), to = obstacle.pose_at(step.end);
    for (std::size_t b = 0; b < ids_.size(); ++b) {
      SupportFrame& frame = frames[parts[first_of_[b]]];
      if (!obstacle.is_felt_by(ids_[b]) || frame.last == &obstacle) continue;
      frame.last = &obstacle;
      frame.place += from.translation;
      frame.displacement += to.translation - from.translation;
      frame.points += 1;
    }
  }
}

}  // namespace brio
