/// Bounces that give back the part e of the speed at which things met, for bodies that touch each other or obstacles.
///
/// Solids that nothing holds meet obstacles, pinned bodies and each other as a whole, by their rigid motion
/// (rigid_motion.h): where a pair of theirs ceases to touch, they part there with at most
///   e max(a, p),  a the greatest speed of approach of the two at this side since they began to touch, p that of
///   parting
/// (p > a where a soft body flings them: e → 1 leaves alone what happens). What rests, approaching by no more than
/// gravity gives it in two steps, does not part, but for what other forces than contact lift it by; and contact makes
/// nothing faster that parted already as it began to touch, so that a ball that rings does not push itself off.
/// Vibration is not rigid motion and keeps its energy. Of all else, cloth, wires, particles, what is held, the vertices
/// of every pair that touched at either end of the step part with at most e a. Velocities are brought there by impulses
/// between the nearest points, which keep both momenta; what they take is booked. A rigid body and a point mass have e
/// exactly, at any h. How fast something soft parts is its own affair: e is an upper bound. Where a step is halved,
/// pairs that touch within it alone are known with methods that have discrete gradients; with others they leave as the
/// halves have it.
#pragma once

#include "brio/interaction.h"
#include "contact/pair_key.h"
#include "contact/rigid_bounds.h"
#include "contact/self_contact.h"

namespace brio {

class Restitution final : public Interaction {
 public:
  Restitution(Model& model, EnergyId contact, double e) : contact_id_(contact), e_(e) { rebind(model); }

  std::string name() const override { return "restitution"; }
  std::unique_ptr<Interaction> clone() const override { return std::make_unique<Restitution>(*this); }
  void rebind(Model& model) override;
  bool follows_bodies() const override { return true; }
  void change(Model& model, std::span<const int>) override { rebind(model); }
  /// What is in touch then begins to touch anew.
  void rewrite(State& state) const override { history(state).clear(); }
  bool fits(const Memory& history) const override;
  void end_step(const Model& model, const State& before, State& state, const Clock& clock, Exchange& exchange) override;

 private:
  using Approach = std::pair<PairKey, double>;
  struct Touch {
    ContactPair pair;
    double force = 0;    ///< the greater one of both ends of the step [N]
    bool opens = false;  ///< it touches no more when the step has ended
    bool whole = false;  ///< of what moves as a whole; else of vertices
    Nearest near{};      ///< when the step has ended
    Vec3 normal = Vec3::Zero();
    double approach = 0;  ///< the greatest speed so far, of what moves as a whole with its sign [m/s]
    double bound = 0;     ///< of the speed at which it parts [m/s]
    double mass = 0;      ///< reduced [kg]
    double carried = 0;   ///< of the speed at which it parts, what an obstacle moves away by [m/s]
  };
  /// One step, from start to end, of all vertices.
  struct Step {
    const NodalField &start, &end, &v;  ///< v: when it begins
    double resting;                     ///< speed of approach up to which things rest [m/s]
  };
  std::vector<Touch> touches(const Configuration& from, const Configuration& to, const NodalField& end) const;
  void look_at_vertices(const Model& model, const Step& step, const std::vector<Approach>& known, Touch& touch) const;
  /// How fast what moves as a whole approaches.
  void look_at_solids(const Model& model, const State& before, const Step& step, const std::vector<Approach>& known,
                      std::vector<Touch>& touches) const;
  /// Whether both either move as a whole or do not give way.
  bool are_whole(const Model& model, const ContactPair& pair) const;
  /// The same touch between what moves as a whole, in vertices at x.
  RigidTouch as_rigid(const Touch& touch, const Nearest& near, const NodalField& x, const NodalField& v) const;
  /// Takes from the velocities what is beyond the bounds; returns whether anything was.
  bool bound_vertices(const Model& model, const std::vector<Touch>& touches, State& state, Exchange& exchange) const;
  bool bound_solids(const Model& model, const std::vector<Touch>& touches, const Step& step, double h, State& state,
                    Exchange& exchange) const;
  /// Of those pieces that the touches are of.
  std::vector<RigidMotion> motions(const Model& model, const std::vector<Touch>& touches, const NodalField& x,
                                   const NodalField& v) const;

  EnergyId contact_id_;
  double e_;
  const SelfContact* contact_ = nullptr;
  FreeSolids solids_;
};

}  // namespace brio
