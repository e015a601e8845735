/// What forces at the stages of a step are, and what they do: damping of strain is among them, supports are told of
/// them, and what comes from outside is booked. Behind StageForces and ExplicitMethod.
#pragma once

#include <optional>

#include "brio/integrators.h"
#include "integrators/strain_damping.h"
#include "integrators/support_forces.h"
#include "math/nodal_ops.h"

namespace brio {

/// Where forces are evaluated.
struct Stage {
  const NodalField& x;  ///< [m]
  const NodalField& v;  ///< [m/s]
  double fraction = 0;  ///< of the step
  double weight = 0;    ///< of h a in v' − v
};

class StageWork {
 public:
  /// `by_stages`: work of supports is that of each stage, with its own velocities, as orders above 2 need. `kicks`:
  /// forces change velocities at once, else over the stage.
  explicit StageWork(bool by_stages = false, bool kicks = true) : by_stages_(by_stages), kicks_(kicks) {}

  void begin(const Model& model, const State& state, const TimeStep& step);
  /// Returns the energy there [J].
  double force(const Stage& stage, NodalField& f);
  /// Books what a force does that was found before.
  void book(const Stage& stage, const NodalField& f);
  /// Whether anything is booked.
  bool books() const { return supports_->wanted() || external_.size() > 0; }
  void place_driven(double fraction, NodalField& x, NodalField& v) const;
  /// Takes the step: x_next and v_next become the state's, and hold what it was.
  StepReport finish(NodalField& x_next, NodalField& v_next, State& state);
  bool finite(const NodalField& field) { return sum_.finite(field); }
  static StepReport not_finite(const State& state, double h);

  SupportForces& supports() { return *supports_; }
  NodalField& external() { return external_; }  ///< that came from outside at the last stage [N]; empty where none can
  const Model& model() const { return *model_; }
  const State& state() const { return *state_; }

 private:
  void prepare(const Model& model);
  double strain_loss(const NodalField& x_next);

  bool by_stages_;
  bool kicks_;
  const Model* model_ = nullptr;                 ///< that the workspace is for
  std::shared_ptr<const BlockPattern> pattern_;  ///< of it
  const State* state_ = nullptr;
  TimeStep time_{};
  double support_work_ = 0;  ///< by stages: of what is left besides the stages' power [J]
  double work_ = 0;          ///< of supports, by stages, and of forces from outside [J]
  NodalField gradient_, external_;
  std::optional<SupportForces> supports_;
  StrainDamping strain_;
  NodalField moved_, damping_force_;  ///< of the damping of strain
  NodalSum sum_;
};

bool is_pushed_from_outside(const Model& model);

/// Throws InputError where the model has what the integrator does not account for (Integrator::accounts_for_all).
void check_accounts(const Integrator& integrator, const std::string& method, const Model& model);

}  // namespace brio
