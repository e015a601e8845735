/// What all implicit methods share: they declare a step (y, terms, how v' follows) and have it solved.
#pragma once

#include <optional>
#include <span>

#include "brio/integrators.h"
#include "integrators/strain_damping.h"
#include "solvers/solver.h"

namespace brio {

class ImplicitIntegrator : public Integrator {
 public:
  explicit ImplicitIntegrator(const SolverOptions& options);
  /// Solves; where it does not converge, does what the solver option `unconverged` asks for.
  StepReport step(const Model& model, State& state, double h) final;

 protected:
  /// One step: sets x_next_ and v_next_, then returns commit(). Leaves the state alone when something fails.
  virtual StepReport advance(const Model& model, State& state, double h) = 0;
  /// Called once per model, before the first step.
  virtual void prepare(const Model&) {}
  /// Whether the method deals with the model's damping of strain by itself.
  virtual bool damps_strain() const { return false; }

  /// x + h v; the positions of pinned vertices.
  void inertial_target(const State& state, double h, NodalField& y) const;
  /// a = M⁻¹ f(x, v); zero at pinned vertices.
  void acceleration(const State& state, NodalField& a);
  /// Minimizes from the guess in x_next_. True when the result may be used; else report says why not.
  bool solve(double h, const NodalField& x_n, std::span<const Term> terms, StepReport& report);
  /// As above, with a solver of the caller's.
  bool solve(Solver& solver, double h, const NodalField& x_n, std::span<const Term> terms, StepReport& report);
  /// The two halves of it, for methods that add to the objective or solve in their own way: `declare` the step, from
  /// y_; then, with the report of what solved it, true when the result may be used.
  void declare(double h, const NodalField& x_n, std::span<const Term> terms);
  bool accept(const SolveReport& solved, double h, StepReport& report) const;
  /// Takes the forces without a potential at x, to be held during the step; `declare` does so where the step begins.
  void hold_forces(const NodalField& x);
  /// Those forces [N]; null when the model has none.
  const NodalField* held_load() const { return model_->forces().empty() ? nullptr : &load_; }
  /// What those forces do, less what the damping of strain takes, on the path from x_n to x_next in a step of h [J].
  double gain(const NodalField& x_n, const NodalField& x_next, double h);
  /// Loss to the model's damping of strain on the path from x_n to x_next, in a step of h [J].
  double strain_loss(const NodalField& x_n, const NodalField& x_next, double h);
  /// v' = rate (x' - x) / h - rest v, the rule of one-step methods; zero at pinned vertices.
  void set_velocity(const State& state, double h, double rate, double rest);
  /// Makes x_next_ and v_next_ the state.
  StepReport commit(State& state, double h, StepReport report);

  bool follows_paths_ = false;  ///< forces are averaged along the step: StepObjective::follow_paths

  const Model& model() const { return *model_; }
  StepObjective& objective() { return *objective_; }
  Solver& solver() { return *solver_; }

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
  bool solve_declared(Solver& solver, double h, const NodalField& x_n, std::span<const Term> terms, StepReport& report);
  StepReport attempt(State& state, double h, int halvings);

  const Model* model_ = nullptr;
  std::shared_ptr<const BlockPattern> pattern_;  ///< of the model that the workspace is for
  std::unique_ptr<Solver> solver_;
  std::optional<StepObjective> objective_;
  NodalField load_;
  const NodalField* v_n_ = nullptr;
  StrainDamping strain_;
  NodalField strain_x_, strain_g_;
  NodalSum sum_;
};

}  // namespace brio
