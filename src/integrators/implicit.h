/// What all implicit methods share: they declare a step (y, terms, how v' follows) and have it solved.
#pragma once

#include <optional>
#include <span>

#include "brio/integrators.h"
#include "integrators/rayleigh_damping.h"
#include "integrators/strain_damping.h"
#include "integrators/support_forces.h"
#include "objective/step_objective.h"
#include "solvers/solver.h"

namespace brio {

class ImplicitIntegrator : public Integrator {
 public:
  explicit ImplicitIntegrator(const SolverOptions& options);
  using Integrator::step;
  /// Solves; where it does not converge, does what the solver option `unconverged` asks for.
  StepReport step(const Model& model, State& state, const TimeStep& step) final;
  bool limits_paths() const override { return true; }
  bool accounts_for_all() const override { return true; }

 protected:
  /// One step: sets x_next_ and v_next_, then returns commit(). Leaves the state alone when something fails.
  virtual StepReport advance(const Model& model, State& state, const TimeStep& step) = 0;
  /// Whether the step must be taken as it is, or may be returned as failed, with `missed_energy_` set, to be halved.
  bool is_last_resort() const { return last_resort_; }
  bool missed_energy_ = false;  ///< it failed for its energy alone
  /// Called once per model, before the first step.
  virtual void prepare(const Model&) {}
  /// Whether the method deals with the model's damping of strain by itself.
  virtual bool damps_strain() const { return false; }

  /// x + h v; pinned vertices where the step ends.
  void inertial_target(const State& state, const TimeStep& step, NodalField& y);
  /// a = M⁻¹ f(x, v) with the forces that are held; zero at pinned vertices.
  void acceleration(const State& state, const TimeStep& step, NodalField& a);
  /// Minimizes from the guess in x_next_. True when the result may be used; else report says why not.
  bool solve(const TimeStep& step, const NodalField& x_n, std::span<const Term> terms, StepReport& report) {
    return solve(solver(), step.h, step, x_n, terms, report);
  }
  /// With a solver of the caller's, and an inertia M/h² of another h than the way from x_n takes.
  bool solve(Solver& solver, double h, const TimeStep& time, const NodalField& x_n, std::span<const Term> terms,
             StepReport& report);
  /// The two halves of it, for methods that add to the objective or solve in their own way: `declare` the step, from
  /// y_; then, with the report of what solved it, true when the result may be used.
  void declare(double h, const TimeStep& time, const NodalField& x_n, std::span<const Term> terms);
  bool accept(const SolveReport& solved, double h, StepReport& report);
  /// The same of equations that a method solves by itself: whichever solver is chosen, their usual end is convergence.
  bool accept_root(const SolveReport& solved, double h, StepReport& report);
  /// What to change where a solve fails.
  virtual std::string remedy() const;
  /// Shortens the guess to what passes through nothing, with pinned vertices where the step ends all the same: in
  /// rounds of the solver where something is in their path. To be declared before; false when they cannot get there.
  bool admit_guess(Solver& solver, StepReport& report);
  /// Where the step that was solved would end outside the domain of a barrier-like material, since Φ sees it at θ < 1
  /// only: solves again with Φ infinite there. Where that finds no minimum all is left as it was; `commit` refuses it,
  /// and the step is halved. Where it was halved enough, such materials are taken at the end of the step instead
  /// (StepObjective::settle_domain).
  template <class Solve>
  void bring_end_within(StepReport& report, Solve solve) {
    if (!leaves_domain()) return;
    const auto converges = [&] {
      const SolveReport solved = solve();
      report.iterations += solved.iterations;
      report.times += solved.times;
      return solved.converged();
    };
    if (converges()) return;
    if (last_resort_) {
      objective_->settle_domain();
      objective_->return_to_start(x_next_);
      if (converges()) return;
    }
    std::swap(x_next_, unlimited_);
  }
  void choose_first_guess();  ///< SolverOptions::guess
  /// Where the solver may stop short of its tolerance: what nothing holds has the momentum that it should have even so.
  void give_momentum_to_guess();
  /// Again from where the step begins, with what limits the path taken at its end: StepObjective::settle.
  bool solve_settled(Solver& solver, double h, const NodalField& x_n, StepReport& report);
  /// For steps with forces that have no potential (model/path_force.h): makes x_next_ the minimum with them taken at
  /// the end of the step, or nearly so. The report says where it cannot be had.
  struct Guess {
    SolveReport solved{};
    bool is_step = false;  ///< none of them act at either end
  };
  Guess find_guess(Solver& solver, const NodalField& x_n, StepReport& report);
  bool missed_root_ = false;  ///< the equations with such forces were not solved

  /// Takes the forces without a potential where the step begins, at the time of its middle; from outside no more than
  /// what is stable when it is held. Done at every step; methods
  /// made of several do it for each.
  void hold_forces(const State& state, const TimeStep& step);
  /// Forces without a potential, held since the step began [N]; null when the model has none.
  const NodalField* held_load() const { return model_->forces().empty() ? nullptr : &load_; }
  /// Those of them that come from outside [N]; empty when the model has none.
  NodalField& external() { return external_; }
  /// What those do on the path from x_n to x_next [J].
  double external_work(const NodalField& x_n, const NodalField& x_next);
  /// Loss to the model's damping within the step on the path from x_n to x_next, in a step of h [J].
  double strain_loss(const NodalField& x_n, const NodalField& x_next, double h);
  /// The gradient of that damping [N]; null where there is none.
  const NodalField* strain_gradient(const NodalField& x_n, const NodalField& x_next, double h);
  /// To be called before a step is declared, by methods that know S0's damping (Method::rayleigh_s0): v' = rate (x' −
  /// still(i))/h.
  template <class Still>
  void expect_velocity(double rate, Still still) {
    if (rayleigh_) rayleigh_->set_velocity(rate, still);
  }
  /// Of methods whose velocity is set_velocity(state, h, rate, rest).
  void expect_velocity(const State& state, double h, double rate, double rest) {
    expect_velocity(rate,
                    [&, back = rest / rate * h](std::size_t i) -> Vec3 { return state.x[i] + back * state.v[i]; });
  }
  /// v' = rate (x' - x) / h - rest v, the rule of one-step methods; zero at pinned vertices.
  void set_velocity(const State& state, double h, double rate, double rest);

  /// What supports give in a step from the state to x_next, by the weights of the velocity update; booked by the
  /// caller. Zero where nothing is driven.
  SupportWork support_work(const State& state, const NodalField& x_next, const TimeStep& step,
                           std::span<const Impulse> rule);
  /// By parts of the model: sets `works`.
  void support_work(const State& state, const NodalField& x_next, const TimeStep& step, std::span<const Impulse> rule,
                    const Parts& parts, std::span<SupportWork> works);
  /// The same, booked in the report: for methods whose work is nothing else.
  void book_supports(const State& state, const TimeStep& step, std::span<const Impulse> rule, StepReport& report) {
    report.user_work += support_work(state, x_next_, step, rule).energy;
  }
  /// Of methods that keep the energy in a frame of that velocity: there supports do what they do; to the world they
  /// give besides what momentum has changed by. Places driven vertices in x_next_ and v_next_.
  double seen_from_the_world(const SupportWork& work, const State& state, const TimeStep& step, const Vec3& frame);
  SupportForces& supports() { return *supports_; }
  /// Makes x_next_ and v_next_ the state, with driven vertices where their path has them; books what forces from
  /// outside did and what damping of strain took.
  StepReport commit(State& state, const TimeStep& step, StepReport report);

  /// Energy does not appear from what the solver leaves unbalanced, since the method steers it or descends from what
  /// there is: where even the smallest steps do not converge, what was found is taken, and told of.
  bool bears_residual_ = false;
  bool searches_long_ = false;                  ///< a whole step may take all the work: half of it is not much easier
  Averaging averages_paths_ = Averaging::none;  ///< forces are averaged along the step: StepObjective::average_paths

  const Model& model() const { return *model_; }
  StepObjective& objective() { return *objective_; }
  const StepObjective& objective() const { return *objective_; }
  Solver& solver() { return persists_ ? *patient_ : *solver_; }

  SolverOptions options_;
  NodalField y_, x_next_, v_next_;
  /// How damping of strain enters a declared step: it moves x' by `weight` h² M⁻¹ of the force, and takes x' - x_n as
  /// the path of `time` steps. Methods for which forces at x_n have a part as well, or that solve for parts of a step,
  /// differ.
  struct StrainRule {
    double weight = 0;  ///< 0: Σ c θ
    double time = 1;
  } strain_rule_;

 private:
  /// What is pressed flat comes out of it within a small part of a step.
  static constexpr int max_halvings = 12;
  static constexpr int patience = 1000;  ///< iterations
  /// Of a step and its halves, in StepObjective::work: that of attempts that failed, after which no longer steps are
  /// tried than were solved, and work in all, after which nothing is.
  struct Effort {
    Effort() = default;
    explicit Effort(const StepObjective& objective);
    double max_in_vain = 0, max_in_all = 0;
    double in_vain = 0;
    int halvings = 0;        ///< that were needed so far
    bool persisted = false;  ///< more patience was needed
    bool spent = false;      ///< what is left of the step is taken as it comes
  };
  void limit_drag(const State& state, const TimeStep& step);
  bool solve_declared(Solver& solver, double h, const NodalField& x_n, std::span<const Term> terms, StepReport& report);
  /// With forces that have no potential: the minimum with them at the end of the step, and from there the root.
  bool solve_root(Solver& solver, double h, const NodalField& x_n, StepReport& report);
  /// Whether it does. Then the objective is limited, and x_next_ a guess within the domain; unlimited_ is what it was.
  bool leaves_domain();
  void choose_guess();
  void count(const SolveReport& solved, StepReport& report);
  bool bring_pinned(Solver& solver, StepReport& report);
  void gather_supports(const State& state, const NodalField& x_next, const TimeStep& step,
                       std::span<const Impulse> rule);
  /// As a whole; where that fails by halves, and so on. What fails even in the smallest steps is tried once more, from
  /// another guess and with more patience: minima of long, stiff chains lie at the end of curved valleys.
  void limit_attempt(int halvings);
  StepReport attempt(State& state, const TimeStep& step, int halvings);
  StepReport halve(State& state, const TimeStep& step, const StepReport& before, int halvings);
  StepReport persist(State& state, const TimeStep& step, StepReport failed);
  /// The same with contact taken where the step ends: it loses energy, but nothing passes through anything.
  StepReport end_at_guess(State& state, const TimeStep& step, const StepReport& failed);
  StepReport advance_once(State& state, const TimeStep& step, bool last_resort);

  bool last_resort_ = false;
  bool ends_at_guess_ = false;  ///< steps that could not be solved, halved enough, end where find_guess has them
  bool left_domain_ = false;    ///< it failed since its end has infinite energy
  bool has_domain_ = false;     ///< of the model
  NodalField unlimited_;

  bool persists_ = false;  ///< the solver is the patient one
  bool may_take_residual() const { return bears_residual_ && options_.unconverged == Unconverged::automatic; }
  bool takes_residual_ = false;  ///< there is nothing left to try: see bears_residual_
  Effort effort_;                ///< of the step at hand

  bool ends_early_;             ///< SolverMethod::ends_early of the solver
  bool solves_itself_ = false;  ///< the step at hand got to equations that are not left to the solver
  double whole_h_ = 0;          ///< of the step at hand, before it is halved [s]
  const Model* model_ = nullptr;
  std::shared_ptr<const BlockPattern> pattern_;  ///< of the model that the workspace is for
  std::unique_ptr<Solver> solver_;
  std::unique_ptr<Solver> patient_;       ///< made when it is first needed
  std::unique_ptr<Solver> rough_, root_;  ///< likewise: for guesses, and for roots
  std::optional<StepObjective> objective_;
  std::optional<SupportForces> supports_;
  NodalField load_, external_;
  NodalField drag_, drag_v_;  ///< forces from outside at other velocities, and those
  NodalField start_;          ///< a guess: where the step begins
  NodalField target_;         ///< where pinned vertices are at the end of the step
  StrainDamping strain_;
  NodalField strain_x_, strain_g_;
  std::optional<RayleighDamping> rayleigh_;  ///< where the model has it
  int limited_drag_ = 0;                     ///< vertices, in the forces that are held
  NodalSum sum_;
};

}  // namespace brio
