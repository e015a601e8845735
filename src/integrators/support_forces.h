/// The impulse that a step takes from its supports, and what they give by it (model/driven.h).
#pragma once

#include <span>

#include "brio/energy.h"
#include "brio/model.h"
#include "model/driven.h"

namespace brio {

/// A gradient's part b in the velocity update, M(v' − v) = −h Σ b ∇E(θ).
struct Impulse {
  double b;
  double theta;
};

class SupportForces {
 public:
  explicit SupportForces(const Model& model) : model_(&model) {}

  /// Whether the model's supports want to know: some are driven, or rub.
  bool wanted() const;

  void clear();
  /// Energies that `averages` names are taken as means along the path. `settled`: those that limit the path act at the
  /// end of the step, whatever the rule (StepObjective::settle).
  void add(const NodalField& x_n, const NodalField& x_next, const TimeStep& step, std::span<const Impulse> rule,
           Averaging averages, bool settled = false);
  /// At one moment; `g`, the gradient of all energies, is worked out where null.
  void add(const Configuration& at, const NodalField* g, double weight);
  /// What vertices feel besides: gravity and forces without a potential [N], and gradients of damping; may be null.
  void add_loads(const NodalField* load, double weight = 1);
  void add_damping(const NodalField* gradient, double weight = 1);
  /// Multiplies what was added so far, at the vertices of each part by its factor.
  void scale(const Parts& parts, std::span<const double> factors);
  SupportWork work(const State& state, const NodalField& x_next, const TimeStep& step) const;
  /// Adds what each part was given.
  void add_work(const State& state, const NodalField& x_next, const TimeStep& step, const Parts& parts,
                std::span<SupportWork> works) const;
  /// Power at one moment [W], from the force at all vertices.
  double power(const State& state, const Configuration& at, const NodalField& force, Side side);

  /// As numbers, for methods that reach back to earlier steps.
  std::size_t numbers() const;
  std::size_t lasting_numbers() const;  ///< without those of hands
  void write(std::span<double> numbers) const;
  void add(std::span<const double> numbers, double weight);

 private:
  /// Which energies, and what supports feel of them.
  struct Choice {
    Averaging averages = Averaging::none;
    bool averaging = false;  ///< those that `averages` names, or the others
    bool settled = false;    ///< but those that limit the path
    bool end = false;        ///< these alone, which act at the end of the step
  };
  void add(const Configuration& at, double weight, const Choice& which);
  bool takes_part(const Driven& support) const { return model_->is_driven() || support.wants_forces(); }

  const Model* model_;
  NodalField g_, mixed_;
};

}  // namespace brio
