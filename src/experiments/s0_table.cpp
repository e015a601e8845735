/// S0's table of costs.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include "experiments/follow.h"
#include "experiments/rows.h"

namespace brio {
namespace {

/// One of the six models, and what S0 measured of it [ms].
struct TableRow {
  const char* scene;
  const char* title;
  std::vector<std::pair<std::string, std::string>> smaller;  ///< for the quick form
  std::array<double, 4> printed;                             ///< avf, implicit-midpoint, newmark, backward-euler
};

const std::vector<TableRow>& rows() {
  static const std::vector<TableRow> table{
      {"s0-bunny",
       "Bunny",
       {{"body[0].mesh", R"({ generate = "cactus", height = 1, cells = 14 })"},
        {"body[0].deform[0].grade", "[[0, -0.1, 0], [0, 0.5, 0]]"}},
       {193.08, 172.36, 188.47, 145.20}},
      {"s0-dragon",
       "Dragon",
       {{"body[0].mesh", R"({ generate = "cactus", height = 1, cells = 12 })"}},
       {91.48, 77.57, 63.63, 62.14}},
      {"s0-sheet",
       "Thin sheet",
       {{"body[0].mesh", R"({ generate = "sheet", size = [24, 2], cells = [120, 10] })"}},
       {201.37, 219.82, 218.45, 200.21}},
      {"s0-cloth",
       "Cloth",
       {{"body[0].mesh", R"({ generate = "sheet", size = [1, 1], cells = [19, 19] })"},
        {"body[0].pin[1].select", "{ vertex = 19 }"}},
       {949.16, 951.72, 905.02, 829.65}},
      {"s0-ditto", "Ditto", {}, {39.95, 22.24, 26.70, 21.91}},
      {"s0-bar",
       "Twisting bar",
       {{"body[0].mesh", R"({ generate = "bar", size = [6, 0.4, 0.2], cells = [36, 2, 1] })"}},
       {102.89, 82.63, 79.17, 84.09}},
  };
  return table;
}

/// The first one's cost by the mean of the rest.
double over_others(std::span<const double> costs) {
  const std::span<const double> others = costs.subspan(1);
  return costs.front() * static_cast<double>(others.size()) / std::accumulate(others.begin(), others.end(), 0.0);
}

Outcome costs(const Trial& trial) {
  Outcome outcome;
  const std::vector<const char*> integrators{"avf", "implicit-midpoint", "newmark", "backward-euler"};
  Table table{
      .title = "Milliseconds per iteration of Newton's method, and as a multiple of backward Euler's",
      .header = {"model", "vertices", "avf", "implicit-midpoint", "newmark", "backward-euler",
                 "avf over "
                 "backward-euler",
                 "of S0"},
      .rows = {},
      .note =
          "The machines are ten years apart; ratios are the comparison. Every matrix is factored, as in the paper."};
  double log_over_others = 0, log_over_others_in_s0 = 0, most_over_euler = 0;
  for (const TableRow& row : rows()) {
    std::vector<double> costs;
    std::vector<std::string> cells{row.title, ""};
    for (const char* integrator : integrators) {
      Plan plan{.scene = row.scene, .integrator = integrator, .frames = trial.pick(5L, 20L), .shown = false};
      if (trial.quick()) plan.changes = row.smaller;
      // As in the paper: by itself our Newton's method would take conjugate gradients for what is calm.
      plan.changes.emplace_back("solver.linear", "\"direct\"");
      const Track track = follow(trial, plan, outcome);
      long iterations = 0;
      for (const LedgerRow& of : track.rows) iterations += of.iterations;
      costs.push_back(1e3 * track.seconds / static_cast<double>(iterations));
      cells[1] = std::to_string(track.end.x.size());
      cells.push_back(fmt::format("{:.3g}", costs.back()));
      outcome.near(fmt::format("{}, {}: frames done", row.title, integrator),
                   static_cast<double>(track.rows.size() - 1), static_cast<double>(track.planned), 0);
    }
    cells.push_back(fmt::format("{:.2f}", costs.front() / costs.back()));
    cells.push_back(fmt::format("{:.2f}", row.printed.front() / row.printed.back()));
    table.rows.push_back(std::move(cells));
    outcome.measure(std::string(row.title) + ": avf over backward Euler, per iteration", costs.front() / costs.back());
    log_over_others += std::log(over_others(costs)) / static_cast<double>(rows().size());
    log_over_others_in_s0 += std::log(over_others(row.printed)) / static_cast<double>(rows().size());
    const bool tets = row.scene != std::string("s0-sheet") && row.scene != std::string("s0-cloth");
    if (tets) most_over_euler = std::max(most_over_euler, costs.front() / costs.back());
  }
  outcome.measure("S0's: an iteration of avf over the mean of the other three, geometric mean of the models",
                  std::exp(log_over_others_in_s0));
  if (!trial.quick()) {  // tests run side by side, where times tell little
    outcome.below("an iteration of avf over the mean of the other three, geometric mean of the models",
                  std::exp(log_over_others), 1.2);
    outcome.below("largest on tetrahedra: an iteration of avf over one of backward Euler", most_over_euler, 1.2)
        .refuted =
        "S0's own table has up to 1.82: its \"about 20 %\" are over the three others together, of which backward Euler "
        "is the cheapest, here too";
  }
  outcome.tables.push_back(std::move(table));
  return outcome;
}

}  // namespace

Experiments s0_table() {
  return {{"s0-table1", "S0 Table 1",
           "An iteration of Newton's method costs little more for AVF, which evaluates forces twice, than for others.",
           "The six models of the other experiments, 20 frames each.", costs}};
}

}  // namespace brio
