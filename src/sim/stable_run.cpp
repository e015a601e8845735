/// The largest stable step, by runs.
#include <algorithm>
#include <cmath>
#include <limits>

#include "brio/sim.h"
#include "core/cancellation.h"
#include "model/body_checks.h"
#include "model/energy_in_play.h"

namespace brio {
namespace {

bool explodes(Simulation& simulation, const StableRun& run) {
  const LedgerRow start = simulation.ledger();
  EnergyPutIn put_in(start, rounding_of_energy(simulation.model()));
  LedgerRow worst = start;
  const int steps =
      run.duration > 0 ? static_cast<int>(std::clamp(std::ceil(run.duration / simulation.h()), 1.0, 1e6)) : run.steps;
  for (int i = 0; i < steps; ++i) {
    interruption_point();  // of who asked; a step knows of its own alone
    if (!simulation.step().ok()) return true;
    const LedgerRow& row = simulation.ledger();
    put_in.add(row);
    if (row.residual > worst.residual) worst = row;
  }
  return put_in.exceeded_by(worst, run.growth);
}

bool holds_energy(const Simulation& simulation) {
  const LedgerRow& row = simulation.ledger();
  return row.kinetic + row.elastic > 0 || !simulation.model().gravity().isZero();
}

}  // namespace

double max_stable_step(Simulation& simulation, const SimulationOptions& options, const StableRun& run) {
  check_number("steps", run.steps, Bound::positive());
  check_number("duration", run.duration, Bound::not_negative());
  check_number("growth", run.growth, Bound::positive());
  check_number("longest", run.longest, Bound::positive());
  check_number("resolution", run.resolution, Bound::at_least(1e-9));
  if (!holds_energy(simulation))
    throw InputError({.key = "start",
                      .problem = "holds no energy, so that nothing can grow",
                      .advice = "give the bodies a velocity or a deformation"});
  Snapshot start = simulation.snapshot();
  start.state.memory.clear();  // of the method before
  const auto stable = [&](double h) {
    SimulationOptions trial = options;
    trial.h = h;
    simulation.use(trial);
    try {
      const bool failed = explodes(simulation, run);
      simulation.restore(start);
      return !failed;
    } catch (...) {
      simulation.restore(start);
      throw;
    }
  };
  if (stable(run.longest)) return std::numeric_limits<double>::infinity();
  double high = run.longest, low = high / 2;
  while (!stable(low)) {
    high = low;
    low /= 2;
    if (low < 1e-6 * run.longest) return 0;
  }
  while (high / low > 1 + run.resolution) {
    const double middle = std::sqrt(low * high);
    (stable(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace brio
