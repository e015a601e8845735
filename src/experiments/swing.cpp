#include "experiments/swing.h"

#include <algorithm>
#include <cmath>

#include "brio/sim.h"
#include "experiments/follow.h"

namespace brio {

double Swing::amplitude(double from, double to) const {
  const auto at = [&](double fraction) {
    return static_cast<std::ptrdiff_t>(fraction * static_cast<double>(x.size() - 1));
  };
  double most = 0;
  for (std::ptrdiff_t i = at(from); i <= at(to); ++i) most = std::max(most, std::abs(x[static_cast<std::size_t>(i)]));
  return most;
}

double Swing::max_energy() const { return *std::ranges::max_element(energy); }
double Swing::min_energy() const { return *std::ranges::min_element(energy); }

Series Swing::over_time(const std::vector<double>& values, double h) const {
  Series series{.name = label, .x = {}, .y = values};
  for (std::size_t i = 0; i < values.size(); ++i) series.x.push_back(h * static_cast<double>(i));
  return series;
}

namespace {

Swing followed(Simulation& simulation, const std::string& label, long steps) {
  Swing swing{.label = label, .x = {}, .v = {}, .energy = {}};
  for (long step = 0;; ++step) {
    swing.x.push_back(Vec3(simulation.state().x[0])[0]);
    swing.v.push_back(Vec3(simulation.state().v[0])[0]);
    swing.energy.push_back(simulation.ledger().total);
    if (step == steps || !simulation.step().ok()) break;
  }
  return swing;
}

}  // namespace

Swing swing(const Trial& trial, const std::string& scene, const std::string& integrator, double h, long steps,
            const IntegratorOptions& options) {
  Simulation simulation = paper_scene(scene).simulation;
  simulation.use({.integrator = trial.integrator(integrator), .h = h, .options = options});
  return followed(simulation, integrator, steps);
}

Swing swing(const Trial& trial, const Problem& problem, double x, double v, const std::string& integrator, double h,
            long steps, const IntegratorOptions& options) {
  State start = problem.start;
  start.x[0] = Vec3(x, 0, 0);
  start.v[0] = Vec3(v, 0, 0);
  Simulation simulation(problem.model, std::move(start),
                        {.integrator = trial.integrator(integrator), .h = h, .options = options});
  return followed(simulation, integrator, steps);
}

}  // namespace brio
