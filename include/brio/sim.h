/// Simulations: a model, its state, an integrator and the account of every joule.
///
///   Model model;
///   const int bar = model.add(SolidOptions{.mesh = make_bar({})});
///   Simulation simulation(std::move(model), {.h = 1e-3});
///   while (simulation.state().time < 1 && simulation.step().ok()) {}
#pragma once

#include <cstdint>

#include "brio/integrators.h"

namespace brio {

struct SimulationOptions {
  std::string integrator = "symplectic-euler";  ///< any of `brio list integrators`
  double h = 1e-3;                              ///< integration step [s], > 0
  IntegratorOptions options{};                  ///< of the integrator and its solver
};

/// A moment of a simulation to return to: what follows is bit for bit what followed before.
struct Snapshot {
  State state;
  LedgerRow ledger;
};

class Simulation {
 public:
  /// Starts from the model's rest shape.
  Simulation(Model model, const SimulationOptions& options);
  /// Starts from `state`, whose velocities at pinned vertices are taken as zero.
  Simulation(Model model, State state, const SimulationOptions& options);

  /// All or nothing: `count` integration steps, then a new row in the ledger. When a step fails, or the energy it leads
  /// to is not finite, the state and the ledger stay those of before the call.
  StepReport step(int count = 1);

  Snapshot snapshot() const { return {.state = state_, .ledger = row_}; }
  /// Of this simulation, or of one made alike. Throws InputError for a state of another size.
  void restore(const Snapshot& snapshot);

  const Model& model() const { return model_; }
  const State& state() const { return state_; }
  const Method& method() const { return *method_; }
  double h() const { return h_; }
  const LedgerRow& ledger() const { return row_; }    ///< of the present state
  const SolveTimes& times() const { return times_; }  ///< of all steps
  std::uint64_t hash() const;                         ///< of the state's bits

 private:
  StepReport step_once();

  Model model_;
  State state_;
  State good_;       ///< what a failed call returns to
  State before_;     ///< where the step at hand began
  NodalField load_;  ///< forces from outside there [N]
  const Method* method_;
  std::unique_ptr<Integrator> integrator_;
  double h_;
  double start_time_ = 0;  ///< [s]
  long start_step_ = 0;
  double start_total_ = 0;  ///< energy at the start [J]
  LedgerRow row_;
  SolveTimes times_;
};

}  // namespace brio
