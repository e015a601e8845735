/// The largest stable step, by runs.
#include <algorithm>
#include <cmath>
#include <limits>

#include "brio/sim.h"

namespace brio {
namespace {

bool explodes(Simulation& simulation, const StableRun& run) {
  const LedgerRow start = simulation.ledger();
  double exchanged = 0, gained = 0, worked = 0;  // most so far [J]
  const int steps =
      run.duration > 0 ? static_cast<int>(std::clamp(std::ceil(run.duration / simulation.h()), 1.0, 1e6)) : run.steps;
  for (int i = 0; i < steps; ++i) {
    if (!simulation.step().ok()) return true;
    const LedgerRow& row = simulation.ledger();
    exchanged = std::max(exchanged, std::abs(row.gravity - start.gravity));
    worked = std::max(worked, std::abs(row.user_work - start.user_work));
    gained = std::max(gained, row.residual - start.residual);
  }
  return gained > run.growth * (start.kinetic + start.elastic + exchanged + worked);
}

bool holds_energy(const Simulation& simulation) {
  const LedgerRow& row = simulation.ledger();
  return row.kinetic + row.elastic > 0 || !simulation.model().gravity().isZero();
}

}  // namespace

double max_stable_step(Simulation& simulation, const SimulationOptions& options, const StableRun& run) {
  if (!holds_energy(simulation))
    throw InputError({.key = "start",
                      .problem = "holds no energy, so that nothing can grow",
                      .advice = "give the bodies a velocity or a deformation"});
  const Snapshot start = simulation.snapshot();
  const auto stable = [&](double h) {
    SimulationOptions trial = options;
    trial.h = h;
    simulation.use(trial);
    const bool failed = explodes(simulation, run);
    simulation.restore(start);
    return !failed;
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
