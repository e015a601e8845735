/// S0's cloth and thin sheet: how much of fine motion is left.
#include <fmt/format.h>

#include <cmath>

#include "experiments/follow.h"
#include "experiments/rows.h"
#include "experiments/track_measures.h"
#include "report/modes.h"

namespace brio {
namespace {

// --- Fig. 6: the cloth -------------------------------------------------------------------------------------------

Outcome cloth(const Trial& trial) {
  Outcome outcome;
  const int cells = trial.pick(19, 79);
  const std::vector<std::pair<std::string, std::string>> smaller{
      {"body[0].mesh", fmt::format(R"({{ generate = "sheet", size = [1, 1], cells = [{0}, {0}] }})", cells)},
      {"body[0].pin[1].select", fmt::format("{{ vertex = {} }}", cells)}};
  const int coarse = trial.pick(40, 200);  // modes; finer ones are wrinkles of a seventh of the cloth and less
  const Modes modes = Modes::of_patterns(paper_scene("s0-cloth", smaller).simulation.model(), coarse);
  std::vector<Track> tracks;
  struct Case {
    const char* label;
    const char* integrator;
    const char* damping;
  };
  for (const Case& one :
       {Case{"avf", "avf", ""}, Case{"avf, damped", "avf", "rayleigh"}, Case{"backward-euler", "backward-euler", ""},
        Case{"avf, damped as printed", "avf", "rayleigh-s0"}}) {
    Plan plan{.scene = "s0-cloth", .integrator = one.integrator, .label = one.label, .changes = smaller};
    if (*one.damping != 0)
      plan.changes.emplace_back("damping", fmt::format(R"([{{ name = "{}", stiffness = 0.01 }}])", one.damping));
    plan.watch = [&](const Simulation& simulation) { return modes.kinetic_energy_above(simulation.state().v); };
    tracks.push_back(follow(trial, plan, outcome));
  }
  std::vector<double> motion, fine;
  const auto taken = [](const Track& track) { return track.last().total - track.rows.front().total; };
  outcome.measure("avf, damped as printed: change of the energy", taken(tracks.back()), "J");
  tracks.pop_back();
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    std::vector<double> kinetic;
    for (const LedgerRow& row : tracks[i].rows) kinetic.push_back(row.kinetic);
    motion.push_back(mean(kinetic, 0.5, 1));
    fine.push_back(mean(tracks[i].watched, 0.5, 1));
    outcome.measure(tracks[i].label + ": mean kinetic energy of the second half", motion.back(), "J");
    outcome.measure(tracks[i].label + fmt::format(": that of it beyond the {} coarsest patterns", coarse), fine.back(),
                    "J");
  }
  outcome.below("avf: change of the energy, relative to what gravity gave",
                std::abs(taken(tracks[0])) / largest(tracks[0], [](const LedgerRow& row) { return row.kinetic; }),
                1e-8);
  outcome.above("total energy at the end: avf above avf damped", tracks[0].last().total - tracks[1].last().total, 0,
                "J");
  outcome.above("avf damped above backward Euler", tracks[1].last().total - tracks[2].last().total, 0, "J");
  outcome.above("wrinkles in the second half: avf over avf damped", fine[0] / fine[1], 1.5);
  outcome.above("avf damped over backward Euler", fine[1] / fine[2], 1.5);
  for (const Track& track : tracks)
    outcome.near(track.label + ": frames done", static_cast<double>(track.rows.size() - 1),
                 static_cast<double>(track.planned), 0);
  outcome.charts = {
      frame_chart("Energy", "J", {&tracks[0], &tracks[1], &tracks[2]}, [](const LedgerRow& row) { return row.total; }),
      {.title = "Energy of wrinkles",
       .x_label = "frame",
       .y_label = "kinetic [J]",
       .log = true,
       .series = {over_frames(tracks[0].label, tracks[0].watched), over_frames(tracks[1].label, tracks[1].watched),
                  over_frames(tracks[2].label, tracks[2].watched)}}};
  outcome.notes.emplace_back(
      "S0 prints k = 20 and 10 without unit, and no size: here 20 and 10 per (10 cm)² of spring length, with 1 m of "
      "cloth. Damping is of the rate of strain; as S0 prints it, with the Hessian as it is, it adds energy where "
      "springs "
      "are compressed. Wrinkles are what the coarsest patterns of the cloth's own stiffness have no part in.");
  return outcome;
}

// --- Fig. 9: the sheet -------------------------------------------------------------------------------------------

Outcome sheet(const Trial& trial) {
  Outcome outcome;
  const auto run = [&](const char* integrator, const char* label, int substeps) {
    Plan plan{.scene = "s0-sheet", .integrator = integrator, .label = label, .steps_per_frame = substeps};
    if (trial.quick())
      plan.changes = {{"body[0].mesh", R"({ generate = "sheet", size = [24, 2], cells = [120, 10] })"}};
    plan.positions = true;
    plan.alter = [&](SimulationOptions& options) { options.h /= substeps; };
    return follow(trial, plan, outcome);
  };
  const Track gold = run("symplectic-euler", "gold standard", trial.pick(100, 1000));
  const Track avf = run("avf", "avf", 1), bdf2 = run("bdf2", "bdf2", 1), bdf1 = run("backward-euler", "bdf1", 1);
  // Of what the moving end has put in, how much is there still.
  const auto kept = [](const Track& track) {
    return (track.last().total - track.rows.front().total) / track.last().user_work;
  };
  outcome.near("gold standard: energy of the wave at the end over the work that made it", kept(gold), 1,
               trial.pick(0.03, 0.003));
  const std::vector<double> of_avf = distances(avf, gold), of_bdf2 = distances(bdf2, gold),
                            of_bdf1 = distances(bdf1, gold);
  outcome.measure("avf: mean distance from the gold standard", mean(of_avf, 0, 1), "m");
  outcome.measure("bdf2: mean distance from the gold standard", mean(of_bdf2, 0, 1), "m");
  outcome.measure("bdf1: mean distance from the gold standard", mean(of_bdf1, 0, 1), "m");
  outcome.below("mean distance from the gold standard: avf over bdf2", mean(of_avf, 0, 1) / mean(of_bdf2, 0, 1), 1);
  outcome.below("bdf2 over bdf1", mean(of_bdf2, 0, 1) / mean(of_bdf1, 0, 1), 1);
  outcome.near("energy of the wave at the end over the work that made it: avf", kept(avf), 1, 1e-6);
  outcome.below("bdf2", kept(bdf2), 0.9);
  outcome.below("bdf1", kept(bdf1), kept(bdf2));
  outcome.near("gold standard: frames done", static_cast<double>(gold.rows.size() - 1),
               static_cast<double>(gold.planned), 0);
  outcome.charts = {
      {.title = "Distance from the gold standard",
       .x_label = "frame",
       .y_label = "m",
       .series = {over_frames("avf", of_avf), over_frames("bdf2", of_bdf2), over_frames("bdf1", of_bdf1)}},
      frame_chart("Energy", "J", {&gold, &avf, &bdf2, &bdf1}, [](const LedgerRow& row) { return row.total; })};
  outcome.notes.emplace_back(
      "S0 tells neither the sheet's size nor its wave: here 24 x 2 m, stretched by 2 % between its ends, one of which "
      "is moved up and down by 0.5 m.");
  return outcome;
}

}  // namespace

Experiments s0_sheets() {
  return {
      {"s0-cloth", "S0 Fig. 6",
       "A cloth keeps its wrinkles with AVF, fewer of them with some Rayleigh damping, and none with backward Euler.",
       "80 x 80 vertices between StVK springs, 1 kg, hung by two corners, h = 33 ms; AVF with damping of 0 and 10 ms, "
       "backward Euler.",
       cloth},
      {"s0-sheet", "S0 Fig. 9",
       "Of a wave in a thin sheet AVF comes nearest to the gold standard, then BDF2, then BDF1.",
       "5,061 vertices between StVK springs, 1 kg, h = 33 ms; gold standard: symplectic Euler at 33 µs.", sheet},
  };
}

}  // namespace brio
