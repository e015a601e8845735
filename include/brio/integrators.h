/// Time integrators: what carries a state from one step to the next.
#pragma once

#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "brio/solvers.h"

namespace brio {

/// What a method can be told. A member that it does not list among its options must be left as it is.
struct IntegratorOptions {
  double beta = 0.25;                                          ///< newmark
  double gamma = 0.5;                                          ///< newmark
  QuadratureRule quadrature = QuadratureRule::automatic;       ///< avf
  std::vector<double> nodes{};                                 ///< avf with QuadratureRule::rule: in [0, 1]
  std::vector<double> weights{};                               ///< avf with QuadratureRule::rule: of sum 1
  double alpha = 0.5;                                          ///< variational: where the potential is taken, in [0, 1]
  int order = 2;                                               ///< variational: 2, 4 or 6
  double damping = 0;                                          ///< variational: k_D [s]
  double epsilon = 0.01;                                       ///< stabilized: |energy error| <= epsilon * energy scale
  StabilizedStart start = StabilizedStart::implicit_midpoint;  ///< stabilized
  DiscreteForm form = DiscreteForm::elastodynamic;             ///< discrete-gradient
  double half_life = 0;        ///< stabilized: of the energy in play [s]; 0: it does not decay
  bool contact_energy = true;  ///< stabilized: energy of contact counts; S1 leaves it out
  SolverOptions solver{};
};

/// How a step went. Bad numerics are reported here, never thrown.
struct StepReport {
  enum class Status { ok, failed, canceled };
  Status status = Status::ok;
  int iterations = 0;        ///< of the solver; 0 for explicit methods
  double residual = 0;       ///< |unbalanced force| / |forces in play| where the solver stopped
  int halvings = 0;          ///< of the step, and of its parts, until the solver converged
  int energy_halvings = 0;   ///< likewise, until the energy could be held
  bool unconverged = false;  ///< the solver stopped short of its tolerance, and that was accepted as asked
  bool out_of_time = false;  ///< it did so since its time was up: StepControl::on_time_out
  int strayed = 0;           ///< steps that ended farther from their energy than their method promises
  double strayed_by = 0;     ///< the farthest of them, as a fraction of the energy scale
  int strayed_body = -1;     ///< the first body of what did, in the model's order; -1: none
  int limited_drag = 0;      ///< vertices, over all steps, on which wind was weakened lest it turn them around
  double energy_error = 0;   ///< of methods that steer by energy: the largest of what moves together, as that fraction
  double alpha = 0;          ///< blend of the stabilized integrator, else 0; the largest of what moves together
  double damping_loss = 0;   ///< work done against damping forces [J]
  double contact_loss = 0;   ///< that of dampers and restitution of contact, a part of damping_loss [J]
  double friction_loss = 0;  ///< [J]
  double user_work = 0;      ///< put in from outside [J]
  SolveTimes times{};        ///< of the solver
  const char* linear = "";   ///< which linear solver was used, and why; lives as long as the program
  std::string message{};     ///< what failed and what to change, or why it was canceled; empty when ok

  bool ok() const { return status == Status::ok; }
  /// Adds what was done before this step, as if both were one; how it ended stays this one's affair.
  void follow(const StepReport& earlier);
};

/// One method with its workspace, which is kept between steps. What the future depends on is in the state alone.
class Integrator {
 public:
  virtual ~Integrator() = default;
  /// Advances the state over a step that begins at its time; pinned vertices follow their paths. When the step fails
  /// the state is as it was. What the step takes from outside and loses is in the report.
  virtual StepReport step(const Model& model, State& state, const TimeStep& step) = 0;
  /// By h [s].
  StepReport step(const Model& model, State& state, double h) {
    return step(model, state, TimeStep{.start = state.time, .end = state.time + h, .h = h});
  }
  /// Whether steps go no farther than energies that limit paths allow (Energy::limits_path), as solvers see to; who
  /// jumps is looked at afterwards.
  virtual bool limits_paths() const { return false; }
  /// Whether steps do justice to all that a model can have: pins follow their paths at the paths' velocity, supports
  /// learn of the forces, strain is damped, and what comes from outside or is lost is in the report. StageForces sees
  /// to all of it. Where this is false, models that have such things are refused.
  virtual bool accounts_for_all() const { return false; }
  /// Throws InputError where the method, as it was made, cannot treat the model.
  virtual void check(const Model& /*model*/) const {}
  /// To be called when, since the last step, velocities were changed or forces moved from outside: methods that
  /// remember those of earlier steps start afresh.
  virtual void disturbed(State& state) const { state.memory.clear(); }
  /// Whether steps of this method, with that model, may have left that memory: the right number of fields, each
  /// of the right size, and of numbers. States may come from files, and files from anyone. An empty memory always fits.
  virtual bool fits(const Memory& memory, const Model& /*model*/) const { return memory.empty(); }
};

class StageWork;

/// For methods of one's own: forces at the stages of a step, and all that they do. Pins follow their paths; what
/// drives them, pushes from outside and damping of strain are in the forces and in the report; friction learns of the
/// forces. An integrator keeps one, and in `step`
///
///   stages_.begin(model, state, step);
///   stages_.force(state.x, state.v, 0, 1, f);   // symplectic Euler: one force at the start, of weight 1
///   for (std::size_t i = 0; i < model.vertices(); ++i) {
///     v_next[i] = state.v[i] + step.h / model.mass()[i] * f[i];
///     x_next[i] = state.x[i] + step.h * v_next[i];
///   }
///   return stages_.finish(x_next, v_next, state);
///
/// and answers true to accounts_for_all().
class StageForces {
 public:
  enum class Stages {
    kicks,  ///< v += weight h f/m at once, as in symplectic methods: forces from outside work at the mean of both
    rates,  ///< each stage has its own velocity, as in Runge–Kutta methods: they work at that
  };
  explicit StageForces(Stages stages = Stages::kicks);
  ~StageForces();
  StageForces(StageForces&&) noexcept;
  StageForces& operator=(StageForces&&) noexcept;

  /// The state stays as it is until `finish`.
  void begin(const Model& model, const State& state, const TimeStep& step);
  /// Sets f, at all vertices [N], at that fraction of the step, which may lie outside [0, 1]; `weight`: of h f/m in
  /// v' − v. Over a step weights add up to 1.
  void force(const NodalField& x, const NodalField& v, double fraction, double weight, NodalField& f);
  /// Puts pinned vertices, with their velocities, where they are at that fraction of the step: to be called before the
  /// next force.
  void place(double fraction, NodalField& x, NodalField& v) const;
  /// Takes the step, pinned vertices at their places: x_next and v_next become the state's, at the end of the step.
  /// Where they are not finite the step fails, and the state is as it was.
  StepReport finish(NodalField& x_next, NodalField& v_next, State& state);

 private:
  std::unique_ptr<StageWork> work_;
  double h_ = 0;  ///< [s]
};

/// What becomes of the energy of an undamped, unforced system.
enum class EnergyBehavior {
  grows,       ///< on average, at any h
  oscillates,  ///< around its value, without drift, while h is below a limit or the solver converges
  drifts,      ///< slowly, either way
  decays,      ///< numerical damping
  kept,        ///< to the solver's tolerance
  tracked,     ///< within a stated tolerance
};
const char* to_string(EnergyBehavior behavior);

/// Of the global error in h, where motion is damped.
struct DampedOrder {
  int drag = 1;    ///< by Damping::drag and Damping::relative, which act between steps
  int strain = 1;  ///< by Damping::strain
};

/// What is known of a method; tests measure what can be measured of it.
struct Method {
  std::string name;
  std::vector<std::string> aliases{};
  std::string family;  ///< "explicit", "implicit", "variational", "stabilized", "comparison" or "static"
  int order = 1;       ///< of the global error in h
  DampedOrder order_with_damping{};
  bool rayleigh_s0 = false;       ///< knows Damping::s0_mass and s0_stiffness; others refuse models that have them
  bool dynamic = true;            ///< follows Newton's law; else each step ends in an equilibrium, and neither order,
                                  ///< reversibility nor momenta mean anything
  bool symplectic = false;        ///< preserves phase-space area
  bool reversible = false;        ///< a step with -h undoes a step with h
  bool linear_momentum = true;    ///< kept to round-off (explicit) or the solver's tolerance
  bool angular_momentum = false;  ///< likewise
  bool constraints = false;       ///< keeps Model::constraints(); others refuse models that have some
  /// SelfContactOptions::restitution bounds how fast things part, as tests measure of implicit methods; else stiff ones
  /// may leave faster.
  bool bounds_restitution = true;
  EnergyBehavior energy = EnergyBehavior::drifts;
  /// The largest hω, ω being the highest frequency of small motions, up to which motion with large strains is promised
  /// to come to its end with `energy` as it says, whatever it starts from; infinity: any step, as tests measure. Of
  /// explicit methods stability_limit tells.
  double resolves = std::numeric_limits<double>::infinity();
  std::string energy_unless{};         ///< where `energy` does not hold, as a clause: "unless ..."
  int force_evaluations = 0;           ///< per step; 0: as many as the solver needs
  std::vector<std::string> options{};  ///< members of IntegratorOptions that it knows
  std::string reference{};             ///< where to read about it
  std::string sentence{};              ///< what it is and when to choose it
  std::string cost{};                  ///< what it costs
  std::unique_ptr<Integrator> (*make)(const IntegratorOptions&) = nullptr;
};

const std::deque<Method>& integrators();

/// From now on simulations, scene files and lists know it by name. Throws InputError when a name is taken. To be called
/// before other threads use brio.
void register_integrator(Method method);

/// By name or alias; throws InputError with the nearest name when there is none.
const Method& find_integrator(const std::string& name);

/// With its options checked: throws InputError for values out of bounds, for options that the method does not know, and
/// for a model with constraints that it does not keep or with what it does not account for.
std::unique_ptr<Integrator> make_integrator(const Method& method, const IntegratorOptions& options, const Model& model);

/// Moves the state to the nearest equilibrium under the loads and supports of its time, at rest: no free vertex feels
/// more than the solver's tolerance of the forces in play. Time and step stay; memories start afresh. Where there is
/// none, as for a body that nothing holds, the report says so and the state is as it was.
StepReport find_equilibrium(const Model& model, State& state, const SolverOptions& options = {.tolerance = 1e-12});

/// The highest frequency ω [rad/s] of small motions around x: the square root of the largest eigenvalue of M⁻¹∇²E(x),
/// by power iteration to about five digits; pinned vertices do not move. Zero where nothing oscillates.
double highest_frequency(const Model& model, const NodalField& x);

/// The largest hω for which the method does not amplify a linear oscillation (by more than 1e-9 per step): infinity for
/// methods without a limit, zero for those that amplify at any h.
double stability_limit(const Method& method, const IntegratorOptions& options = {});

/// The largest stable step [s] for small motions around x: stability_limit / highest_frequency.
double max_stable_step(const Method& method, const IntegratorOptions& options, const Model& model, const NodalField& x);

}  // namespace brio
