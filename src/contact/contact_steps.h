/// Contact by barriers between steps: tells the energy what is to come and afterwards whether it came well, and lets
/// friction slide. A model has one at most, for bodies among each other and all obstacles.
#pragma once

#include "brio/interaction.h"
#include "contact/pair_friction.h"

namespace brio {

class ContactSteps final : public Interaction {
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

 private:
  /// Energies between bodies and obstacles as they are in the model, instead of those that were.
  void renew(Model& model, std::vector<ContactObstacle> obstacles);
  /// Friction where someone rubs, and who books what obstacles do.
  void want_friction(Model& model);
  SelfContactOptions options_;
  EnergyId contact_id_, friction_id_;
  SelfContact* contact_ = nullptr;
  PairFriction* friction_ = nullptr;  ///< null: there is none
  bool started_ = false;
  int unchecked_from_ = 0;  ///< the first vertex that was not there when crossings were looked for
  std::size_t unchecked_obstacles_from_ = 0;
  bool supports_contact_ = false, supports_friction_ = false;  ///< whether the model has an ObstacleSupport of them
};

}  // namespace brio
