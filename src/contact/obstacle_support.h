/// What obstacles feel of an energy, contact's or friction's, and what those that move give by it.
#pragma once

#include "contact/self_contact.h"
#include "model/driven.h"

namespace brio {

class ObstacleSupport final : public Driven {
 public:
  /// Both are energies of the model: whose obstacles, and which tells their forces (ObstacleEnergy).
  ObstacleSupport(Model& model, EnergyId contact, EnergyId energy);

  std::string name() const override { return "obstacles"; }
  std::unique_ptr<Interaction> clone() const override { return std::make_unique<ObstacleSupport>(*this); }
  void rebind(Model& model) override;
  bool follows_bodies() const override { return true; }
  void change(Model& model, std::span<const int>) override { rebind(model); }

  /// That of each obstacle is told by its collider.
  bool has_path() const override { return false; }
  bool wants_forces() const override;
  bool limits_path() const override { return energy_->limits_path(); }
  bool takes_mean(Averaging which) const override { return energy_->takes_mean(which); }
  void clear_forces() override { forces_.clear(); }
  void add_forces(const Configuration& at, const NodalField& g, double weight) override;
  void scale_forces(const Parts& parts, std::span<const double> factors) override;
  void add_work(const State& state, const NodalField& x_next, const TimeStep& step, const Parts& parts,
                std::span<SupportWork> works) const override;
  double power(const State& state, const Configuration& at, const NodalField& g, Side side) const override;
  std::size_t force_numbers() const override { return forces_.numbers(); }
  void write_forces(std::span<double> numbers) const override { forces_.write(numbers); }
  void add_forces(std::span<const double> numbers, double weight) override { forces_.add(numbers, weight); }
  void add_to_frames(const State& state, const TimeStep& step, const Parts& parts,
                     std::span<SupportFrame> frames) const override;

 private:
  const std::vector<ContactObstacle>& obstacles() const { return contact_->obstacles(); }
  /// Where the forces of a body on an obstacle are: one for each of its handles.
  std::size_t slot(std::size_t obstacle, std::size_t body) const {
    return first_slot_[obstacle] + body * obstacles()[obstacle].handles();
  }
  /// visit(obstacle, body, point, gradient) for every point of an obstacle that feels something.
  template <class Visit>
  void for_forces(const Configuration& at, Visit&& visit) const;

  EnergyId contact_id_, energy_id_;
  const SelfContact* contact_ = nullptr;
  const Energy* energy_ = nullptr;
  const ObstacleEnergy* teller_ = nullptr;  ///< the same
  std::vector<int> body_of_, first_of_;     ///< of each vertex; the first vertex of each body
  std::vector<BodyId> ids_;                 ///< of the bodies
  std::vector<std::size_t> first_slot_;     ///< of each obstacle
  MeanForces forces_;                       ///< gradients at handles, per obstacle and body [N]
};

}  // namespace brio
