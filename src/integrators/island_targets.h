/// What methods that steer by energy hold each island of a step to (islands.h).
///
/// The energy of an island at the end of a step is to be that at its start, what earlier steps still owe included, with
/// what supports, forces from outside and damping of strain did on the way, less what a half-life lets go. It is held
/// to within epsilon of the energy in play in that island: kinetic + elastic + gravity above the lowest so far as its
/// supports see it, or kinetic + elastic relative to the mean motion where nothing holds it.
///
/// Memory, three numbers per body: what the steps so far still owe to the target (so that what is done to the state
/// between steps counts as added), the lowest gravity energy, and whether it was held.
#pragma once

#include <algorithm>
#include <functional>

#include "brio/integrators.h"
#include "integrators/islands.h"
#include "model/driven.h"
#include "objective/step_objective.h"

namespace brio {

struct IslandTarget {
  IslandEnergy start;
  Vec3 frame = Vec3::Zero();  ///< velocity of what holds it [m/s]
  double before = 0;          ///< energy that it is to have, but for work and losses of the step [J]
  double in_play = 0;         ///< at the start [J]
  double decayed = 0;         ///< by the half-life [J]
  double lowest = 0;          ///< gravity energy, at the end of the step [J]
  double rounding = 0;        ///< [J]

  double work = 0;            ///< of supports, where the step is judged [J]
  double pushed = 0;          ///< given by damping, and not wanted [J]
  double e = 0, allowed = 0;  ///< too much there, and how much of it is in order [J]
  bool is_calmest = false;    ///< no end with less energy was found

  /// What lies still can lose no more: a target below that would be held against what is added later.
  double unattainable() const { return std::clamp(is_calmest ? e : e - allowed, 0.0, decayed); }
  double error() const { return e - unattainable(); }
  bool strays() const { return !(std::abs(error()) <= (1 + 1e-9) * allowed); }
  bool has_too_much() const { return strays() && !(error() <= 0); }
};

class IslandTargets {
 public:
  struct Rule {
    double epsilon = 0;
    double half_life = 0;        ///< [s]; 0: none
    bool contact_counts = true;  ///< energy of contact is part of H
  };
  /// What acts on the way to an end of the step besides supports: forces from outside, and the gradient of damping;
  /// null where there are none.
  struct Forces {
    const NodalField* external = nullptr;
    const NodalField* damping = nullptr;
  };
  using ForcesTo = std::function<Forces(const NodalField& x_next)>;
  IslandTargets(const Rule& rule, ForcesTo forces) : rule_(rule), forces_(std::move(forces)) {}

  void prepare(const Model& model);
  static bool fits(const Memory& memory, const Model& model);

  /// Each body by itself again, but for what touches where the step begins.
  void begin(const State& state, const TimeStep& step);
  Islands& islands() { return islands_; }
  std::size_t count() const { return islands_.count(); }
  const TimeStep& step() const { return step_; }
  IslandTarget& operator[](std::size_t island) { return targets_[island]; }
  IslandTarget& of_body(std::size_t body) { return targets_[islands_.of_body(body)]; }
  IslandTarget& of_vertex(std::size_t vertex) { return targets_[islands_.parts()[static_cast<int>(vertex)]]; }
  bool any_strays() const;

  /// Once it is known what touches. What the solver leaves, by its tolerance, is not held against an island; 0 where it
  /// stopped short of that, since the forces there may be of any size.
  void set_up(StepObjective& objective, double tolerance);
  /// Sets e and `allowed` of the islands wanted, for a step that ends there. What forces from outside and supports do
  /// on the way, and what damping of strain takes, depend on where it ends.
  template <class Wanted>
  void judge(const NodalField& x, const NodalField& v, Wanted wanted);
  /// The force from outside on an island, as gathered for that end [N].
  void gather_outside(const NodalField& x);
  const Vec3& outside_force(std::size_t island) const { return outside_[island].force; }
  const IslandEnergy& judged(std::size_t island) const { return energies_[island]; }

  /// In the report; false, with words, where an energy is not finite. Islands outside epsilon have strayed.
  bool book(StepReport& report);
  void remember(Memory& memory);

 private:
  /// The energy in play, as who moves along sees it.
  double seen(std::size_t island, const IslandEnergy& energy, double lowest) const;
  double steered_energy(std::size_t island, const IslandEnergy& energy) const;
  void judge(std::size_t island);

  Rule rule_;
  ForcesTo forces_;
  const Model* model_ = nullptr;
  const State* state_ = nullptr;
  TimeStep step_;
  Islands islands_;
  std::vector<IslandTarget> targets_;
  std::vector<IslandEnergy> energies_;
  std::vector<SupportFrame> frames_;
  /// What forces from outside do to an island, and damping of strain takes.
  struct Outside {
    double work = 0, loss = 0;  ///< [J]
    Vec3 force = Vec3::Zero();  ///< [N]
  };
  std::vector<Outside> outside_;
  std::vector<double> lowest_;  ///< gravity energy per body [J]
};

template <class Wanted>
void IslandTargets::judge(const NodalField& x, const NodalField& v, Wanted wanted) {
  islands_.measure({x, Moment::at(step_.end)}, v, rule_.contact_counts, wanted, energies_);
  gather_outside(x);
  for (std::size_t i = 0; i < count(); ++i)
    if (wanted(i)) judge(i);
}

}  // namespace brio
