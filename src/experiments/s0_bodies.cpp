/// S0's solids: the bunny, the dragon, the twisted bar and the blob that bounces.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/follow.h"
#include "experiments/rows.h"
#include "experiments/track_measures.h"

namespace brio {
namespace {

void came_to_its_end(const Track& track, Outcome& outcome) {
  outcome.near(track.label + ": frames done", static_cast<double>(track.rows.size() - 1),
               static_cast<double>(track.planned), 0);
}

/// Its energy has grown tenfold, or a step could not be taken.
void explodes(const Track& track, Outcome& outcome) {
  const double growth = largest(track, total) / track.rows.front().total;
  if (growth > track.growth || !track.ended) {
    outcome.above(track.label + " explodes: largest energy over that of the start", growth, track.growth);
  } else {
    outcome.below(track.label + " has no next step after frame", static_cast<double>(*track.ended),
                  static_cast<double>(track.planned));
  }
  if (const auto frame = track.exploded()) outcome.measure(track.label + " explodes at frame", double(*frame));
}

// --- Fig. 1, 4, 5 and 14: the bunny ------------------------------------------------------------------------------

Outcome bunny(const Trial& trial) {
  Outcome outcome;
  const auto run = [&](const char* integrator) {
    Plan plan{.scene = "s0-bunny", .integrator = integrator, .frames = trial.pick(150L, 400L)};
    if (trial.quick()) {
      plan.changes = {{"body[0].mesh", R"({ generate = "cactus", height = 1, cells = 14 })"},
                      {"body[0].deform[0].grade", "[[0, -0.1, 0], [0, 0.5, 0]]"}};
    }
    plan.give_up = 30;  // thrice what counts as an explosion
    return follow(trial, plan, outcome);
  };
  const Track avf = run("avf"), midpoint = run("implicit-midpoint"), newmark = run("newmark"),
              euler = run("backward-euler");
  outcome.below("avf: largest change of the energy, relative to that of the start", energy_error(avf), 1e-8);
  explodes(midpoint, outcome);
  explodes(newmark, outcome);
  outcome.below("backward-euler: energy at the end over that of the start",
                euler.last().total / euler.rows.front().total, 0.1);
  for (const Track* track : {&avf, &euler}) came_to_its_end(*track, outcome);
  const auto iterations = [](const LedgerRow& row) { return static_cast<double>(row.iterations); };
  outcome.charts = {frame_chart("Fig. 5: energy", "J", {&avf, &midpoint, &newmark, &euler}, total, true),
                    frame_chart("Fig. 14: iterations of Newton's method", "per frame",
                                {&avf, &midpoint, &newmark, &euler}, iterations)};
  outcome.notes.emplace_back(
      "How far the ears are pulled is not told: here by 0.3 m from the crown of the head to their tips, 1 m above the "
      "feet. Which of implicit-midpoint and newmark explodes first depends on that: S0 says newmark survives longer.");
  if (trial.quick()) outcome.notes.emplace_back("In the quick form a cactus takes the bunny's place.");
  return outcome;
}

// --- Fig. 7 and 8: the dragon ------------------------------------------------------------------------------------

Outcome dragon(const Trial& trial) {
  Outcome outcome;
  constexpr int finer = 1000;  // steps of the gold standard in one of the others
  const auto run = [&](const char* integrator, int substeps) {
    Plan plan{.scene = "s0-dragon", .integrator = integrator, .frames = trial.pick(60L, 115L)};
    if (trial.quick()) plan.changes = {{"body[0].mesh", R"({ generate = "cactus", height = 1, cells = 12 })"}};
    if (substeps > 1) {
      plan.label = "gold standard";
      plan.steps_per_frame = substeps;
      plan.alter = [&](SimulationOptions& options) { options.h /= substeps; };
    }
    plan.watch = [](const Simulation& simulation) {  // angular momentum about the vertex that is held
      const std::vector<char>& pinned = simulation.model().pinned();
      const auto held = static_cast<std::size_t>(std::ranges::find(pinned, 1) - pinned.begin());
      const Vec3 place = simulation.state().x[held];
      return (simulation.ledger().angular - place.cross(simulation.ledger().linear)).norm();
    };
    return follow(trial, plan, outcome);
  };
  const Track gold = run("symplectic-euler", trial.pick(finer / 10, finer)), avf = run("avf", 1),
              midpoint = run("implicit-midpoint", 1);
  const auto strays = [](const std::vector<double>& spin) {
    double most = 0;
    for (const double value : spin) most = std::max(most, std::abs(value / spin.front() - 1));
    return most;
  };
  outcome.below("avf: largest change of the energy, relative to that of the start", energy_error(avf), 1e-8);
  outcome.below("avf: angular momentum strays from that of the start by at most", strays(avf.watched), 0.1);
  outcome.near("avf: mean angular momentum over that of the start", mean(avf.watched, 0, 1) / avf.watched.front(), 1,
               0.05);
  outcome.below("implicit-midpoint: angular momentum strays by at most", strays(midpoint.watched), 1e-6);
  outcome.below("gold standard: angular momentum strays by at most", strays(gold.watched), 1e-9);
  explodes(midpoint, outcome);
  came_to_its_end(avf, outcome);
  outcome.charts = {{.title = "Fig. 8: angular momentum about the vertex that is held",
                     .x_label = "frame",
                     .y_label = "kg m²/s",
                     .series = {over_frames("gold standard", gold.watched), over_frames("avf", avf.watched),
                                over_frames("implicit-midpoint", midpoint.watched)}},
                    frame_chart("Energy", "J", {&gold, &avf, &midpoint}, total, true)};
  outcome.notes.emplace_back(
      "S0 tells neither how fast the dragon spins nor which point is held: here 16 rad/s about y.");
  if (trial.quick()) outcome.notes.emplace_back("In the quick form a cactus takes the dragon's place.");
  return outcome;
}

// --- Fig. 10 and 11: the twisted bar -----------------------------------------------------------------------------

Outcome bar(const Trial& trial) {
  Outcome outcome;
  const auto run = [&](const char* integrator) {
    Plan plan{.scene = "s0-bar", .integrator = integrator};
    if (trial.quick())
      plan.changes = {{"body[0].mesh", R"({ generate = "bar", size = [6, 0.4, 0.2], cells = [36, 2, 1] })"}};
    return follow(trial, plan, outcome);
  };
  const Track avf = run("avf"), bathe = run("bathe");
  outcome.below("avf: largest change of the energy, relative to that of the start", energy_error(avf), 1e-8);
  outcome.below("bathe: energy at the end over that of the start", bathe.last().total / bathe.rows.front().total, 0.9);
  for (const Track* track : {&avf, &bathe}) came_to_its_end(*track, outcome);
  outcome.charts = {
      frame_chart("Fig. 10: energy", "J", {&avf, &bathe}, total),
      frame_chart("Kinetic energy", "J", {&avf, &bathe}, [](const LedgerRow& row) { return row.kinetic; })};
  outcome.notes.emplace_back(
      "S0 tells neither the bar's size nor its twist: here 6 x 0.4 x 0.2 m and one turn and a half.");
  return outcome;
}

// --- Fig. 12 and 13: the blob ------------------------------------------------------------------------------------

Outcome ditto(const Trial& trial) {
  Outcome outcome;
  struct Case {
    const char* label;
    const char* law;
    double damping;  ///< s
    int substeps;
  };
  const auto run = [&](const Case& one) {
    Plan plan{.scene = "s0-ditto", .label = one.label, .frames = trial.pick(100L, 600L)};
    plan.changes.emplace_back("collider[0].law", fmt::format("\"{}\"", one.law));
    if (one.damping > 0)
      plan.changes.emplace_back("damping", fmt::format(R"([{{ name = "rayleigh-s0", stiffness = {} }}])", one.damping));
    plan.steps_per_frame = one.substeps;
    plan.alter = [&](SimulationOptions& options) { options.h /= one.substeps; };
    plan.growth = 1e9;  // what its energy does is measured
    return follow(trial, plan, outcome);
  };
  const Track printed = run({"as printed", "held-spring", 0, 1});
  const Track shorter = run({"a twentieth of the step", "held-spring", 0, 20});
  const Track damped = run({"damped", "held-spring", 0.03, 20});
  const Track ours = run({"contact in the quadrature", "potential", 0, 1});
  const double start = ours.rows.front().total;
  const auto growth = [&](const Track& track) { return largest(track, total) / start; };
  const auto drift = [&](const Track& track) { return (track.last().total - start) / start; };
  outcome.above("as printed: largest energy over that of the start, which drifts up", growth(printed), 1.05);
  outcome.above("a twentieth of the step: drift of the energy, up", drift(shorter), 0);
  outcome.below("a twentieth of the step: it is slow, less than doubling the energy", drift(shorter), 1);
  outcome.below("damped: energy of motion and strain at the end over the height energy it had",
                (damped.last().kinetic + damped.last().elastic) / start, 0.1);
  outcome
      .below("contact in the quadrature: largest change of the energy, relative to that of the start",
             energy_error(ours), 1e-7)
      .source = Check::Source::beyond;
  came_to_its_end(ours, outcome);
  outcome.charts = {frame_chart("Fig. 13: energy", "J", {&shorter, &damped, &ours}, total),
                    frame_chart("As printed", "J", {&printed, &ours}, total, true)};
  outcome.notes.emplace_back(
      "S0's springs hold the surface point that a vertex went through, so that their energy is another in each step: "
      "how much comes of it depends on h times the frequency of a vertex on its spring, 5.7 with the printed mass, "
      "stiffness and step. At a twentieth of the step it drifts slowly, as in the figure. The height of the fall is "
      "ours.");
  return outcome;
}

}  // namespace

Experiments s0_bodies() {
  return {
      {"s0-bunny", "S0 Fig. 1, 4, 5, 14",
       "A bunny pulled by its ears keeps its energy with AVF, explodes with implicit midpoint and Newmark, and loses "
       "most of its energy with backward Euler.",
       "1,839 vertices of StVK, 10 kg, mu = 500 Pa, lambda = 10 Pa, h = 33 ms, 400 frames.", bunny},
      {"s0-dragon", "S0 Fig. 7 and 8",
       "A spinning dragon keeps its energy with AVF, whose angular momentum oscillates by a few percent; implicit "
       "midpoint keeps angular momentum, and explodes.",
       "1,000 vertices of StVK, 1 kg, mu = 400 Pa, lambda = 10 Pa, one held, h = 33 ms, 115 frames; gold standard: "
       "symplectic Euler at 33 µs.",
       dragon},
      {"s0-bar", "S0 Fig. 10 and 11",
       "A twisted bar keeps its energy with AVF and visibly loses it with Bathe's method.",
       "1,314 vertices of StVK, 1 kg, mu = 1000 Pa, lambda = 500 Pa, h = 33 ms, 150 frames.", bar},
      {"s0-ditto", "S0 Fig. 12 and 13",
       "Energy of a bouncing blob slowly drifts up, since repulsion springs are not polynomial; with damping it "
       "decays.",
       "147 vertices of StVK, 1 kg, mu = 35 Pa, lambda = 20 Pa, springs of 200 N/m, h = 33 ms, 600 frames.", ditto},
  };
}

}  // namespace brio
