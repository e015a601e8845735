#include "experiments/explicit_score.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "core/timer.h"
#include "experiments/measure.h"
#include "experiments/wire_scenarios.h"

namespace brio {
namespace {

/// Of steps from the present state, to which it returns: the least of some runs.
double seconds_per_step(Simulation& simulation, const SimulationOptions& options) {
  constexpr int steps = 50;
  Snapshot start = simulation.snapshot();
  start.state.memory.clear();  // of the method before
  simulation.use(options);
  double ms = std::numeric_limits<double>::infinity();
  for (int run = 0; run < 8; ++run) {
    simulation.restore(start);
    const Stopwatch watch;
    simulation.step(steps);
    ms = std::min(ms, watch.milliseconds());
  }
  simulation.restore(start);
  return 1e-3 * ms / steps;
}

}  // namespace

ScoreSheet score_sheet(bool quick, const std::map<std::string, std::string>& stand_ins) {
  Suture suturing = suture(quick);
  Simulation& simulation = suturing.scenario.simulation;
  const StepReport report = suturing.scenario.run(suturing.tight_from);
  if (!report.ok()) throw std::runtime_error("the suture failed before it was measured on: " + report.message);
  const Problem smooth = suturing_thread(quick ? 12 : 40);
  const StableRun run{.duration = quick ? 0.05 : 0.2, .longest = 0.01, .resolution = quick ? 0.05 : 0.01};
  ScoreSheet sheet{.subject = suturing.scenario.sentence,
                   .links = static_cast<int>(suturing.scenario.curve().size()) - 1,
                   .vertices = static_cast<int>(simulation.model().vertices()),
                   .order_subject = smooth.sentence,
                   .duration = run.duration,
                   .frequency = highest_frequency(simulation.model(), simulation.state().x),
                   .rows = {}};
  double reference = 0;
  for (const Method& method : integrators()) {
    if (method.family != "explicit") continue;
    const auto stand_in = stand_ins.find(method.name);
    const Method& ran = stand_in == stand_ins.end() ? method : find_integrator(stand_in->second);
    Score row{.integrator = method.name,
              .largest_step = max_stable_step(simulation, {.integrator = ran.name}, run),
              .evaluations = method.force_evaluations,
              .declared_order = method.order,
              .measured_order = measured_order(ran, {}, smooth),
              .symplectic = method.symplectic};
    row.seconds_per_step = seconds_per_step(simulation, {.integrator = ran.name, .h = 0.1 * row.largest_step});
    row.score = row.largest_step / row.seconds_per_step;
    if (method.name == "explicit-euler") reference = row.score;
    sheet.rows.push_back(row);
  }
  for (Score& row : sheet.rows) row.relative = row.score / reference;
  std::ranges::sort(sheet.rows, std::ranges::greater{}, &Score::score);
  return sheet;
}

}  // namespace brio
