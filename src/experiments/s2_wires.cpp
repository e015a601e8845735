/// S2's wires: the score sheet of explicit integrators on a suture, and knots.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/explicit_score.h"
#include "experiments/knots.h"
#include "experiments/rows.h"
#include "experiments/wire_scenarios.h"

namespace brio {
namespace {

struct Published {
  const char* integrator;
  double largest_step, milliseconds, score;
};
constexpr Published published[]{
    {"explicit-euler", 0.0098, 8, 1.225},
    {"symplectic-euler", 0.0294, 8, 3.675},
    {"midpoint", 0.0153, 8, 1.9125},
    {"half-step", 0.0168, 10, 1.68},
    {"verlet", 0.023, 10, 2.3},
    {"forest-ruth", 0.021, 12, 1.75},
    {"symplectic-midpoint", 0.028, 8, 3.5},
    {"rk4", 0.027, 14, 1.928},
    {"modified-half-step", 0.0216, 10, 2.16},
};

Outcome table1(const Trial& trial) {
  Outcome outcome;
  const ScoreSheet sheet = score_sheet(trial.quick(), trial.stand_ins);
  Table table{.title = "Table 1",
              .header = {"integrator", "largest step [ms]", "time [ms]", "symplectic", "order", "score",
                         "over explicit Euler's", "that of S2"},
              .rows = {},
              .note = fmt::format("{}: {} links, {} vertices, {} s; order measured on {}.", sheet.subject, sheet.links,
                                  sheet.vertices, sheet.duration, sheet.order_subject)};
  std::vector<const Score*> rows;
  for (const Score& score : sheet.rows)
    for (const Published& paper : published)
      if (score.integrator == paper.integrator) {
        rows.push_back(&score);
        table.rows.push_back({score.integrator, fmt::format("{:.3f}", 1e3 * score.largest_step),
                              fmt::format("{:.4f}", 1e3 * score.seconds_per_step), score.symplectic ? "yes" : "no",
                              fmt::format("{:.2f}", score.measured_order), fmt::format("{:.3f}", score.score),
                              fmt::format("{:.2f}", score.relative),
                              fmt::format("{:.2f}", paper.score / published[0].score)});
      }
  const auto place = [&](const char* name) {
    const auto found = std::ranges::find(rows, name, &Score::integrator);
    return static_cast<double>(found - rows.begin()) + 1;
  };
  outcome.below("symplectic Euler is first or second: its place", place("symplectic-euler"), 2.5);
  outcome.near("explicit Euler is last: its place", place("explicit-euler"), 9, 0.1);
  for (const Score* score : rows) {
    outcome.near(score->integrator + ": measured order", score->measured_order, score->declared_order, 0.3);
    outcome.measure(score->integrator + ": largest step", 1e3 * score->largest_step, "ms");
  }
  outcome.tables.push_back(std::move(table));
  outcome.notes.emplace_back(
      "S2 tells neither the thread nor how long it ran, nor what counts as failing: ours is softer and shorter, so "
      "that "
      "only ratios between methods compare. Forest–Ruth is of order 4, not 3, and symplectic midpoint is taken as "
      "drift, kick, drift: as printed it does not converge.");
  return outcome;
}

double min_apart(const std::vector<Vec3>& curve) { return min_distance(curve, 4); }

/// Runs to its end in pieces: the least distance of links that are no neighbors, and the tale of its ends.
struct Story {
  std::vector<double> time, ends, writhes;
  double nearest = std::numeric_limits<double>::infinity();
  double frames_done = 0;
  long first_knot = 0, last_knot = 0;
};

Story tell(WireScenario& wire, const Trial& trial) {
  constexpr int pieces = 60;
  Story story;
  if (!trial.stand_ins.empty()) {
    const std::string name = trial.integrator(wire.simulation.method().name);
    wire.simulation.use({.integrator = name, .h = wire.simulation.h()});
  }
  story.first_knot = knot_determinant(wire.curve());
  for (int piece = 0; piece < pieces; ++piece) {
    const std::vector<Vec3> curve = wire.curve();
    story.time.push_back(wire.simulation.state().time);
    story.ends.push_back((curve.front() - curve.back()).norm());
    story.writhes.push_back(writhe(curve));
    story.nearest = std::min(story.nearest, min_apart(curve));
    if (!wire.run(wire.duration / pieces).ok()) break;
    story.frames_done += 1.0 / pieces;
  }
  story.last_knot = knot_determinant(wire.curve());
  return story;
}

Outcome knots(const Trial& trial) {
  Outcome outcome;
  Chart ends{.title = "Distance of the ends", .x_label = "time [s]", .y_label = "m", .series = {}};
  const auto told = [&](WireScenario wire) {
    const Story story = tell(wire, trial);
    ends.series.push_back({.name = wire.name, .x = story.time, .y = story.ends});
    outcome.above(wire.name + ": part of the run that is done", story.frames_done, 0.999);
    outcome.above(wire.name + ": least distance of links that are no neighbors", story.nearest, 0, "m");
    return story;
  };
  const Story tight = told(tightened_knot(trial.quick()));
  outcome.near("tightened knot: knot determinant at the start (3 is an overhand knot)",
               static_cast<double>(tight.first_knot), 3, 0);
  outcome.near("tightened knot: knot determinant at the end", static_cast<double>(tight.last_knot), 3, 0);
  outcome.above("tightened knot: the ends were pulled apart by", tight.ends.back() - tight.ends.front(), 0.01, "m");
  const Story cable = told(unknotting_cable(trial.quick()));
  outcome.near("elastic cable: knot determinant at the start", static_cast<double>(cable.first_knot), 3, 0);
  outcome.near("elastic cable: knot determinant at the end (1 is no knot)", static_cast<double>(cable.last_knot), 1, 0);

  Suture suturing = suture(trial.quick());
  const bool driven = suturing.scenario.run(suturing.tight_from).ok();
  const auto holes_apart = [&] { return (suturing.hole(0) - suturing.hole(1)).norm(); };
  const double open = holes_apart();
  const bool tightened = driven && suturing.scenario.run(suturing.scenario.duration - suturing.tight_from).ok();
  outcome.above("suture: came to its end", tightened ? 1 : 0, 0.5);
  for (const int half : {0, 1})
    outcome.near(fmt::format("suture: the thread passes through hole {}", half + 1), suturing.passes(half), 1, 0);
  outcome.below("suture: distance of the holes after tightening over that before", holes_apart() / open, 0.95);
  outcome.charts.push_back(std::move(ends));
  outcome.notes.emplace_back(
      "S2 shows pictures without figures: here the knot is told by its determinant, which changes only when links pass "
      "through each other or an end slips out.");
  return outcome;
}

}  // namespace

Experiments s2_wires() {
  return {
      {"s2-table1", "S2 Table 1",
       "Of nine explicit integrators on a suture symplectic Euler simulates most seconds per second computed, explicit "
       "Euler the fewest; symplectic midpoint comes near.",
       "A thread through two halves of a layer is tightened; largest stable step by bisection, time per step, order.",
       table1},
      {"s2-knots", "S2 Fig. 4 and 7",
       "A thread is led through a severed layer and tightened, an overhand knot is tightened and stays, an elastic "
       "cable undoes its knot: links never pass through each other.",
       "Wires of tetrahedral links with contact among themselves, symplectic Euler.", knots},
  };
}

}  // namespace brio
