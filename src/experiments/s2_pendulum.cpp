/// S2 Fig. 5 and 6: explicit integrators on θ'' = -sin θ.
#include <algorithm>
#include <cmath>

#include "experiments/rows.h"
#include "experiments/swing.h"

namespace brio {
namespace {

constexpr double start = 1.2;  // rad, from rest: the paper does not say
const char* const open_start =
    "S2 does not say where its pendulum starts, nor for how long it swings: here from rest at 1.2 rad, for at least 16 "
    "periods.";

struct Pair {
  std::string title;
  std::vector<std::string> integrators;
  double h;
};

std::vector<Swing> swings(const Trial& trial, const Pair& pair, double duration, Outcome& outcome) {
  Chart chart{.title = pair.title, .x_label = "θ [rad]", .y_label = "dθ/dt [rad/s]", .series = {}};
  std::vector<Swing> list;
  for (const std::string& name : pair.integrators) {
    list.push_back(swing(trial, pendulum(), start, 0, name, pair.h, std::lround(duration / pair.h)));
    chart.series.push_back(list.back().phase());
  }
  outcome.charts.push_back(std::move(chart));
  return list;
}

/// How much wider the orbit is in the last third than in the first.
double widening(const Swing& swing) { return swing.amplitude(2.0 / 3, 1) / swing.amplitude(0, 1.0 / 3); }
double gain(const Swing& swing) { return swing.max_energy() / swing.energy.front(); }
double variation(const Swing& swing) { return (swing.max_energy() - swing.min_energy()) / swing.energy.front(); }

Outcome run(const Trial& trial) {
  Outcome outcome;
  const double duration = trial.pick(120.0, 1200.0);
  const auto a = swings(trial, {"Fig. 5a: Δt = 0.03 s", {"explicit-euler", "midpoint"}, 0.03}, 40, outcome);
  outcome.above("explicit Euler at 0.03 s: largest energy over that of the start", gain(a[0]), 1.5);
  outcome.below("midpoint at 0.03 s gains less than explicit Euler", gain(a[1]), gain(a[0]));

  const auto b =
      swings(trial, {"Fig. 5b: Δt = 0.9 s", {"symplectic-midpoint", "symplectic-euler"}, 0.9}, duration, outcome);
  for (const Swing& orbit : b)
    outcome.near(orbit.label + " at 0.9 s stays on a closed curve: amplitude at the end over that at first",
                 widening(orbit), 1, 0.02);
  outcome.below("symplectic midpoint at 0.9 s: variation of energy, below that of symplectic Euler", variation(b[0]),
                variation(b[1]));

  const auto c = swings(trial, {"Fig. 6a: Δt = 0.3 s", {"half-step", "modified-half-step"}, 0.3}, 60, outcome);
  outcome.above("half-step at 0.3 s adds energy: amplitude at the end over that at first", widening(c[0]), 1.01);
  outcome.below("modified half-step at 0.3 s adds less", widening(c[1]), widening(c[0]));

  const auto d =
      swings(trial, {"Fig. 6b: Δt = 0.9 s", {"symplectic-euler", "verlet", "forest-ruth"}, 0.9}, duration, outcome);
  for (std::size_t i = 1; i < d.size(); ++i)
    outcome.near(d[i].label + " at 0.9 s stays on a closed curve: amplitude at the end over that at first",
                 widening(d[i]), 1, 0.02);
  outcome.notes.emplace_back(open_start);
  return outcome;
}

}  // namespace

Experiments s2_pendulum() {
  return {{"s2-pendulum", "S2 Fig. 5 and 6",
           "Explicit Euler adds energy, the midpoint methods less; symplectic methods stay on closed curves even at "
           "0.9 s.",
           "θ'' = -sin θ; explicit Euler and midpoint at 0.03 s, symplectic midpoint and symplectic Euler at 0.9 s, "
           "half-step and modified half-step at 0.3 s, symplectic Euler, Verlet and Forest–Ruth at 0.9 s.",
           run}};
}

}  // namespace brio
