/// Contact by barriers between steps: tells the energy what is to come and afterwards whether it came well, lets
/// friction slide, and books what obstacles that move do. A model has one at most, for bodies among each other and all
/// obstacles.
#pragma once

#include <optional>

#include "contact/pair_friction.h"
#include "model/driven.h"

namespace brio {

class ContactSteps final : public Driven {
 public:
  /// The energies are the model's; of friction there may be none.
  ContactSteps(Model& model, SelfContactOptions options, EnergyId contact, EnergyId friction);

  /// That of the model; made where there is none yet, without contact between bodies.
  static ContactSteps& of(Model& model);
  /// Between bodies. Returns the energy.
  EnergyId join_bodies(Model& model, const SelfContactOptions& options);
  bool joins_bodies() const { return options_.self || options_.between; }
  void add(Model& model, ContactObstacle obstacle);
  void remove(Model& model, ColliderId collider);
  ContactObstacle* find(ColliderId collider);  ///< null: none
  SelfContact& contact() { return *contact_; }

  std::string name() const override { return "self-contact"; }
  std::unique_ptr<Interaction> clone() const override { return std::make_unique<ContactSteps>(*this); }
  void rebind(Model& model) override;
  bool follows_bodies() const override { return true; }
  void change(Model& model, std::span<const int> vertices) override;
  void rewrite(State& state) const override;
  bool fits(const Memory& history) const override;
  void recall(const Model& model, State& state) override;
  void begin_step(const Model& model, State& state, const Clock& clock, Exchange& exchange) override;
  void end_step(const Model& model, const State& before, State& state, const Clock& clock, Exchange& exchange) override;

  // What obstacles feel and give; their paths are told by their colliders.
  bool has_path() const override { return false; }
  bool wants_forces() const override;
  bool limits_path() const override { return true; }
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
  /// Energies between bodies and obstacles as they are in the model, instead of those that were.
  void renew(Model& model, std::vector<ContactObstacle> obstacles);
  void want_friction(Model& model);
  void renumber_bodies(const Model& model);
  /// Where the forces of a body on an obstacle are: one for each of its handles.
  std::size_t slot(std::size_t obstacle, std::size_t body) const {
    return first_slot_[obstacle] + body * contact_->obstacles()[obstacle].handles();
  }
  template <class Visit>
  void for_forces(const Configuration& at, Visit visit) const;
  bool feels(std::size_t body, const ContactObstacle& obstacle) const;

  SelfContactOptions options_;
  EnergyId contact_id_, friction_id_;
  SelfContact* contact_ = nullptr;
  PairFriction* friction_ = nullptr;  ///< null: there is none
  bool started_ = false;
  int unchecked_from_ = 0;  ///< the first vertex that was not there when crossings were looked for
  std::size_t unchecked_obstacles_from_ = 0;
  std::vector<int> body_of_, first_of_;  ///< of each vertex; the first vertex of each body
  std::vector<BodyId> ids_;              ///< of the bodies
  std::vector<std::size_t> first_slot_;  ///< of each obstacle
  MeanForces forces_;                    ///< gradients at handles, per obstacle and body [N]
};

}  // namespace brio
