/// S3's elastic bodies: what two million explicit steps keep, the hopping bunny, and minimizing against finding roots.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "brio/contact.h"
#include "experiments/follow.h"
#include "experiments/rows.h"

namespace brio {
namespace {

// --- Fig. 2 and 3: the rod ---------------------------------------------------------------------------------------

double internal(const LedgerRow& row) { return row.kinetic + row.elastic; }

double mean_internal(const Track& track, double from, double to) {
  const auto n = static_cast<double>(track.rows.size());
  double sum = 0;
  long count = 0;
  for (auto i = static_cast<std::size_t>(from * n); i < static_cast<std::size_t>(to * n); ++i, ++count)
    sum += internal(track.rows[i]);
  return sum / static_cast<double>(count);
}

/// Largest change relative to the start.
double drift(const Track& track, Vec3 LedgerRow::*momentum) {
  double most = 0;
  for (const LedgerRow& row : track.rows) most = std::max(most, (row.*momentum - track.rows.front().*momentum).norm());
  return most / (track.rows.front().*momentum).norm();
}

/// The largest rise of the energy's mean over a fiftieth of the run above the one before, relative to the start.
double largest_rise(const Track& track) {
  constexpr int parts = 50;
  double rise = 0, before = mean_internal(track, 0, 1.0 / parts);
  for (int part = 1; part < parts; ++part) {
    const double now = mean_internal(track, part / double(parts), (part + 1) / double(parts));
    rise = std::max(rise, now - before);
    before = now;
  }
  return rise / internal(track.rows.front());
}

Track tumble(const Trial& trial, const std::string& label, double damping, Outcome& outcome) {
  const long frames = trial.pick(400L, 2000L);
  Plan plan{.scene = "s3-rod",
            .label = label,
            .frames = frames,
            .steps_per_frame = static_cast<int>(trial.pick(20000L, 2000000L) / frames)};
  plan.changes.emplace_back("integrator.damping", fmt::format("{}", damping));
  return follow(trial, plan, outcome);
}

Outcome rod(const Trial& trial) {
  Outcome outcome;
  const long steps = trial.pick(20000L, 2000000L);
  const double damping = trial.pick(2e-4, 2e-6);  // s; in the full form it acts a hundred times as long
  const Track free = tumble(trial, "undamped", 0, outcome);
  const Track damped = tumble(trial, "damped", damping, outcome);
  // Each step rounds what the corners of 160 tets exchange, some 500 times; errors add up like a random walk.
  const double rounding = 1e-15 * std::sqrt(static_cast<double>(steps)) * 500;
  for (const Track* track : {&free, &damped}) {
    outcome.above(track->label + ": steps done",
                  static_cast<double>(track->rows.size() - 1) / static_cast<double>(track->planned), 0.999, "of all");
    outcome.below(track->label + ": change of linear momentum over " + std::to_string(steps) + " steps",
                  drift(*track, &LedgerRow::linear), rounding);
    outcome.below(track->label + ": change of angular momentum", drift(*track, &LedgerRow::angular), rounding);
  }
  double low = internal(free.rows.front()), high = low;
  for (const LedgerRow& row : free.rows) {
    low = std::min(low, internal(row));
    high = std::max(high, internal(row));
  }
  const double start = internal(free.rows.front());
  outcome.below("undamped: span of the energy over its value at the start", (high - low) / start, 0.1);
  outcome.near("undamped: mean energy of the last tenth over that of the first",
               mean_internal(free, 0.9, 1) / mean_internal(free, 0, 0.1), 1, 0.01);
  outcome.below("damped: energy at the end over that of the start", internal(damped.last()) / start, 0.95);
  outcome.below("damped: largest rise of the mean energy from one fiftieth of the run to the next, over the start",
                largest_rise(damped), 1e-3);
  outcome.charts = {
      frame_chart("Energy", "kinetic and elastic [J]", {&free, &damped}, internal),
      frame_chart("Angular momentum about z", "kg m²/s", {&free, &damped},
                  [](const LedgerRow& row) { return row.angular[2]; }),
      frame_chart("Linear momentum along x", "kg m/s", {&free, &damped},
                  [](const LedgerRow& row) { return row.linear[0]; }),
  };
  outcome.notes.emplace_back(
      "S3 tells neither the rod's size nor its stiffness and start: here 1 x 0.25 x 0.25 m, 1 kg, E = 500 Pa, "
      "stretched by 8 %, thrown and turning.");
  return outcome;
}

// --- Fig. 4: the bunny -------------------------------------------------------------------------------------------

/// How often the lowest vertex leaves the ground by more than `height`, having touched it.
int hops(const Track& track, double height) {
  int count = 0;
  bool touched = false;
  for (const NodalField& x : track.positions) {
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < x.size(); ++i) lowest = std::min(lowest, x[i][1]);
    if (lowest < 0) touched = true;
    if (touched && lowest > height) {
      ++count;
      touched = false;
    }
  }
  return count;
}

Outcome bunny(const Trial& trial) {
  Outcome outcome;
  Plan plan{.scene = "s3-bunny", .label = "variational", .positions = true};
  if (trial.quick()) plan.changes.emplace_back("body[0].mesh", R"({ generate = "sphere", radius = 0.4, rings = 4 })");
  plan.watch = [](const Simulation& simulation) {
    return deepest_penetration(simulation.model(), simulation.state()).depth;
  };
  const Track track = follow(trial, plan, outcome);
  const auto infinite =
      std::ranges::count_if(track.rows, [](const LedgerRow& row) { return !std::isfinite(row.elastic); });
  double most = 0;
  for (const LedgerRow& row : track.rows) most = std::max(most, row.total);
  outcome.above("frames done", static_cast<double>(track.rows.size() - 1) / static_cast<double>(track.planned), 0.999,
                "of all");
  outcome.above("hops: it leaves the ground again by 5 cm", hops(track, 0.05), 0.5, "times");
  outcome.below("frames in which an element is inside out (its energy is infinite)", static_cast<double>(infinite),
                0.5);
  outcome.below("largest energy over that of the start", most / track.rows.front().total, 1.01);
  outcome.charts = {frame_chart("Energy", "J", {&track}, [](const LedgerRow& row) { return row.total; }),
                    frame_chart("Height energy", "J", {&track}, [](const LedgerRow& row) { return row.gravity; })};
  double rise = 0;
  for (std::size_t i = 1; i < track.rows.size(); ++i)
    rise = std::max(rise, track.rows[i].total - track.rows[i - 1].total);
  outcome.measure("largest rise of the energy within a step, over that of the start", rise / track.rows.front().total);
  outcome.measure("deepest vertex", std::ranges::max(track.watched), "m");
  outcome.notes.emplace_back(
      "S3 gives no stiffness, height or damping: here E = 10 kPa, ν = 0.4, 1 m, damping of strain 1 ms, and the "
      "springs "
      "that brio suggests. In the quick form a ball takes the bunny's place.");
  outcome.notes.emplace_back(
      "S3 lets the whole impulse of damping act before the step. There it drives vertices on against springs that "
      "throw "
      "them back within the same step, faster than they came. brio shares it equally between both ends of the step, "
      "and takes the springs' mean force along it: then neither gives anything away. What is left is implicit "
      "midpoint's own: of elements that h does not resolve "
      "and that are squeezed flat the energy jumps up in some steps, and falls again.");
  return outcome;
}

// --- Section 6: minimizing against finding a root ----------------------------------------------------------------

struct Size {
  const char* cells;
  const char* title;
};

Outcome solve(const Trial& trial) {
  Outcome outcome;
  const std::vector<Size> sizes =
      trial.quick() ? std::vector<Size>{{"[8, 3, 3]", "144 v"}, {"[16, 4, 4]", "425 v"}, {"[20, 6, 6]", "1,029 v"}}
                    : std::vector<Size>{{"[10, 5, 4]", "330 v"}, {"[19, 9, 9]", "2,000 v"}, {"[42, 7, 10]", "3,784 v"}};
  const std::vector<const char*> papers{"1.2", "2.6", "3"};
  Table table{.title = "Processor time per step and its ratio",
              .header = {"bar", "minimizing [ms]", "root finding [ms]", "speed-up", "iterations", "of the root",
                         "speed-up of S3"},
              .rows = {},
              .note =
                  "S3's are of PETSc's TAO `nls` against SNES, which brio is not built with: both columns are ours, "
                  "Newton's method with a line search on the functional and on the residual, over the same "
                  "assembly and factorization."};
  std::vector<double> speedups;
  Series curve{.name = "ours", .x = {}, .y = {}};
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const auto timed = [&](const char* solver) {
      Plan plan{.scene = "s3-bar", .label = fmt::format("{}, {}", sizes[k].title, solver), .shown = k == 0};
      plan.changes.emplace_back(
          "body[0].mesh", fmt::format(R"({{ generate = "bar", size = [2, 0.5, 0.5], cells = {} }})", sizes[k].cells));
      plan.changes.emplace_back("solver.name", fmt::format("\"{}\"", solver));
      plan.changes.emplace_back("solver.tolerance", "1e-10");
      if (trial.quick()) plan.frames = 8;
      return follow(trial, plan, outcome);
    };
    const Track least = timed("newton"), root = timed("root");
    double apart = 0;
    for (std::size_t i = 0; i < least.end.x.size(); ++i)
      apart = std::max(apart, (least.end.x[i] - root.end.x[i]).norm());
    outcome.below(fmt::format("{}: distance of the two trajectories at the end", sizes[k].title), apart, 1e-6, "m");
    speedups.push_back(root.seconds / least.seconds);
    const auto iterations = [](const Track& track) {
      long sum = 0;
      for (const LedgerRow& row : track.rows) sum += row.iterations;
      return std::to_string(sum);
    };
    const auto per_step = [](const Track& track) {
      return fmt::format("{:.2f}", 1e3 * track.seconds / static_cast<double>(track.rows.size() - 1));
    };
    table.rows.push_back({sizes[k].title, per_step(least), per_step(root), fmt::format("{:.2f}", speedups.back()),
                          iterations(least), iterations(root), trial.quick() ? "" : papers[k]});
    curve.x.push_back(static_cast<double>(least.end.x.size()));
    curve.y.push_back(speedups.back());
  }
  outcome.measure("speed-up of the smallest bar", speedups.front());
  outcome.measure("speed-up of the largest bar", speedups.back());
  if (!trial.quick()) {  // tests run side by side, where times tell little
    outcome.above("largest bar: speed-up of minimizing over finding a root", speedups.back(), 1);
    outcome.above("its growth from the smallest bar", speedups.back() / speedups.front(), 1.5).refuted =
        "S3 compares two programs of PETSc as they come; ours share assembly and the pattern of factorization, so that "
        "the ratio is that of their iterations and of Cholesky's to an indefinite factorization, at any size";
  }
  outcome.tables.push_back(table);
  outcome.charts.push_back(
      {.title = "Speed-up over size", .x_label = "vertices", .y_label = "speed-up", .series = {curve}});
  return outcome;
}

}  // namespace

Experiments s3_elastic() {
  return {
      {"s3-fig2-3", "S3 Fig. 2 and 3",
       "Over two million explicit steps a rod's momenta are kept to rounding and its energy stays bounded; with "
       "damping "
       "energy falls smoothly while momenta are still kept.",
       "Rod of 160 tets, neo-Hookean, alpha = 0, h = 4 ms, 2,000,000 steps, without and with damping.", rod},
      {"s3-bunny", "S3 Fig. 4",
       "A soft bunny hops on its ears and feet: no element turns inside out, nothing explodes.",
       "Bunny of 12.6K vertices, neo-Hookean, alpha = 1/2, h = 10 ms, contact by springs, 150 steps.", bunny},
      {"s3-solve", "S3 section 6",
       "Minimizing the functional gives the trajectory of root finding, faster, and the more so the larger the mesh: "
       "1.2, 2.6 and 3 times.",
       "Bar of 330, 2,000 and 3,784 vertices, neo-Hookean, h = 10 ms, 20 steps.", solve},
  };
}

}  // namespace brio
