/// Bounces that give back the part e of the speed at which things met, for bodies that touch each other or obstacles.
///
/// After a step, no pair that touched at either end of it may part faster than e times the greatest speed at which it
/// approached since it began to touch; what rests, approaching by no more than gravity gives it in two steps, does not
/// part at all. Velocities are brought there by impulses between the nearest points, which keep both momenta; what they
/// take is booked. A point mass, or what touches with all of its vertices, has e exactly, at any h, and loses 1 − e² of
/// its energy; of a soft body the vertices that touch are stopped, and e is what the ledger says.
#pragma once

#include "brio/interaction.h"
#include "contact/self_contact.h"

namespace brio {

class Restitution final : public Interaction {
 public:
  Restitution(Model& model, EnergyId contact, double e) : contact_id_(contact), e_(e) { rebind(model); }

  std::string name() const override { return "restitution"; }
  std::unique_ptr<Interaction> clone() const override { return std::make_unique<Restitution>(*this); }
  void rebind(Model& model) override { contact_ = &dynamic_cast<SelfContact&>(model.energy(contact_id_)); }
  bool follows_bodies() const override { return true; }
  void change(Model& model, std::span<const int>) override { rebind(model); }
  /// What is in touch then begins to touch anew.
  void rewrite(State& state) const override { history(state).clear(); }
  bool fits(const Memory& history) const override;
  void end_step(const Model& model, const State& before, State& state, const Clock& clock, Exchange& exchange) override;

 private:
  struct Touch {
    ContactPair pair;
    Nearest near{};  ///< when the step has ended
    Vec3 normal = Vec3::Zero();
    double approach = 0;  ///< the greatest speed so far [m/s]
    double bound = 0;     ///< of the speed at which it parts [m/s]
    double mass = 0;      ///< reduced [kg]
    double carried = 0;   ///< of the speed at which it parts, what an obstacle moves away by [m/s]
  };
  std::vector<Touch> touches(const Model& model, const State& before, const State& state, const Clock& clock) const;
  /// Takes from the velocities what is beyond the bounds; returns whether anything was.
  bool bound_speeds(const Model& model, const std::vector<Touch>& touches, State& state, Exchange& exchange) const;

  EnergyId contact_id_;
  double e_;
  const SelfContact* contact_ = nullptr;
};

}  // namespace brio
