/// S3 Fig. 1: why symplecticity matters.
#include <cmath>
#include <numbers>

#include "experiments/rows.h"
#include "experiments/swing.h"

namespace brio {
namespace {

Outcome fig1(const Trial& trial) {
  constexpr double start = 1.2, h = 0.1;  // rad, s
  const double duration = trial.pick(60.0, 600.0);
  Outcome outcome;
  Chart phase{.title = "Fig. 1: phase space", .x_label = "θ [rad]", .y_label = "dθ/dt [rad/s]", .series = {}};
  Chart angle{.title = "The angle over time", .y_label = "θ [rad]", .series = {}};
  const auto amplitude = [&](const std::string& name) {
    // Explicit Euler soon turns over the top: its curve would hide the others.
    const double shown = name == "explicit-euler" ? 12 : duration;
    const Swing orbit = swing(trial, pendulum(), start, 0, name, h, std::lround(shown / h));
    phase.series.push_back(orbit.phase());
    angle.series.push_back(orbit.over_time(orbit.x, h));
    return orbit.amplitude(0.75, 1) / start;
  };
  outcome.above("explicit Euler: amplitude in the last quarter over that of the start", amplitude("explicit-euler"),
                1.2);
  outcome.below("implicit Euler: the same", amplitude("backward-euler"), 0.8);
  outcome.near("variational (α = ½): the same", amplitude("variational"), 1, 0.01);
  outcome.charts = {phase, angle};
  outcome.notes.emplace_back("S3 gives neither step nor start: here h = 0.1 s, from rest at 1.2 rad, L = g.");
  return outcome;
}

}  // namespace

Experiments s3_pendulum() {
  return {{"s3-fig1", "S3 Fig. 1",
           "On a pendulum explicit Euler amplifies the oscillation, implicit Euler damps it, a variational integrator "
           "keeps its amplitude.",
           "θ'' = -sin θ from rest at 1.2 rad, h = 0.1 s, 600 s.", fig1}};
}

}  // namespace brio
