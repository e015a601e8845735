/// S1's small examples: the spring that large steps of implicit midpoint throw out of its circle, and what forward and
/// backward Euler do to the energy of convex potentials and of one that is not.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "brio/energy.h"
#include "brio/sim.h"
#include "experiments/follow.h"
#include "experiments/rows.h"
#include "experiments/swing.h"
#include "experiments/track_measures.h"

namespace brio {
namespace {

// --- Fig. 2 and 3: one spring --------------------------------------------------------------------------------------

double largest_radius(const Track& track) {
  double most = 0;
  for (const NodalField& x : track.positions) most = std::max(most, Vec3(x[1]).norm());
  return most;
}

/// Largest change of angular momentum, relative to that of the start.
double momentum_change(const Track& track) {
  const Vec3 start = track.rows.front().angular;
  double most = 0;
  for (const LedgerRow& row : track.rows) most = std::max(most, (row.angular - start).norm());
  return most / start.norm();
}

Series path(const Track& track, double until) {
  Series series{.name = track.label, .x = {}, .y = {}};
  for (std::size_t i = 0; i < track.rows.size() && track.rows[i].time <= until; ++i) {
    series.x.push_back(Vec3(track.positions[i][1])[0]);
    series.y.push_back(Vec3(track.positions[i][1])[1]);
  }
  return series;
}

Chart time_chart(const std::string& title, const std::string& y_label, const std::vector<const Track*>& tracks,
                 const OfRow& value, bool log) {
  Chart chart = frame_chart(title, y_label, tracks, value, log);
  chart.x_label = "time [s]";
  for (std::size_t k = 0; k < tracks.size(); ++k)
    for (std::size_t i = 0; i < tracks[k]->rows.size(); ++i) chart.series[k].x[i] = tracks[k]->rows[i].time;
  return chart;
}

Outcome spring(const Trial& trial) {
  Outcome outcome;
  const auto turned = [&](const std::string& integrator, const std::string& label, double h, bool shown) {
    Plan plan{.scene = "s1-spring",
              .integrator = integrator,
              .label = label,
              .frames = std::lround(trial.pick(3.3, 33.0) / h),
              .positions = true,
              .shown = shown,
              .give_up = 1e9};
    plan.alter = [&](SimulationOptions& options) { options.h = h; };
    return follow(trial, plan, outcome);
  };
  constexpr double small_step = 3.3e-4, large_step = 0.033;  // s
  const Track small = turned("implicit-midpoint", "implicit midpoint, h = 0.33 ms", small_step, false);
  const Track large = turned("implicit-midpoint", "implicit midpoint, h = 33 ms", large_step, true);
  const Track ours = turned("stabilized", "stabilized, h = 33 ms", large_step, true);
  const auto total = [](const LedgerRow& row) { return row.total; };
  const double start = large.rows.front().total, radius = 1.5;
  outcome.near("energy at the start", start, 25025, 1e-6, "J");
  outcome.below("small steps: largest distance from the origin", largest_radius(small), radius * 1.001, "m");
  outcome.below("small steps: largest energy over that of the start", largest(small, total) / start, 1.02);
  outcome.above("large steps: largest distance from the origin", largest_radius(large), 2 * radius, "m");
  outcome.above("large steps: largest energy over that of the start", largest(large, total) / start, 100);
  outcome.below("large steps: largest change of angular momentum, relatively", momentum_change(large), 1e-9);
  outcome
      .below("stabilized at large steps: largest energy over that of the start", largest(ours, total) / start, 1.0101)
      .source = Check::Source::beyond;
  outcome.measure("stabilized at large steps: largest distance from the origin", largest_radius(ours), "m");
  outcome.measure("stabilized at large steps: angular momentum left at the end, of that of the start",
                  ours.last().angular[2] / ours.rows.front().angular[2]);
  const auto turning = [](const LedgerRow& row) { return row.angular[2]; };
  outcome.charts = {{.title = "Fig. 2: path with small steps, the first 0.3 s",
                     .x_label = "x [m]",
                     .y_label = "y [m]",
                     .series = {path(small, 0.3)}},
                    {.title = "Fig. 2: path with large steps, the first second",
                     .x_label = "x [m]",
                     .y_label = "y [m]",
                     .series = {path(large, 1)}},
                    time_chart("Fig. 3: energy", "total [J]", {&large, &ours, &small}, total, true),
                    time_chart("Fig. 3: angular momentum", "kg m²/s", {&large, &ours, &small}, turning, false)};
  outcome.notes.emplace_back(
      "The 25 kJ of the paper's plot are those of E = k (‖x‖ - 1)², without the half that stands before it in Eq. 7. "
      "S1 does not run its own method on this example: it stays in range of the energy, and so of the circle, but "
      "loses "
      "the angular momentum, since a step of 33 ms is three of the spring's periods.");
  return outcome;
}

// --- Appendix A and B: convex potentials -----------------------------------------------------------------------------

/// Of the first vertex: fourth powers, logarithms of hyperbolic cosines and squares of its distances from random
/// planes.
class RandomConvex final : public Energy {
 public:
  explicit RandomConvex(std::mt19937& random) {
    for (Plane& plane : planes_)
      plane = {.normal = random_vector(random, 1),
               .offset = uniform(random, -1, 1),
               .weight = std::pow(10, uniform(random, -1, 2))};
  }
  static double uniform(std::mt19937& random, double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
  }
  static Vec3 random_vector(std::mt19937& random, double size) {
    const double x = uniform(random, -size, size), y = uniform(random, -size, size);
    return {x, y, uniform(random, -size, size)};
  }

  std::string name() const override { return "random-convex"; }
  std::size_t elements() const override { return 1; }
  double value(const Configuration& at) const override { return respond(at.x[0]).energy; }
  double gradient(const Configuration& at, const Weights& weights, NodalField& g) const override {
    const Response r = respond(at.x[0]);
    g[0] += weights.gradient * r.gradient;
    return r.energy;
  }
  double hessian(const Configuration& at, const Weights& weights, Projection, NodalField& g,
                 BlockMatrix& H) const override {
    const Response r = respond(at.x[0]);
    g[0] += weights.gradient * r.gradient;
    Eigen::Map<Eigen::Matrix3d>(H.block(slot_)) += weights.hessian * r.hessian;
    return r.energy;
  }
  void laplacian(double weight, std::span<double> L) const override { L[slot_] += 1e3 * weight; }
  void couple(PatternBuilder& pattern) const override { pattern.couple(std::vector<int>{0}); }
  void bind(const BlockPattern& pattern) override { slot_ = pattern.find(0, 0); }
  bool is_anchored() const override { return true; }
  void set_rest(const NodalField&) override {}
  std::unique_ptr<Energy> clone() const override { return std::make_unique<RandomConvex>(*this); }

 private:
  struct Plane {
    Vec3 normal;
    double offset, weight;
  };
  struct Response {
    double energy = 0;
    Vec3 gradient = Vec3::Zero();
    Eigen::Matrix3d hessian = Eigen::Matrix3d::Zero();
  };

  Response respond(const Vec3& x) const {
    Response r;
    for (std::size_t i = 0; i < planes_.size(); ++i) {
      const auto& [normal, offset, weight] = planes_[i];
      const double d = normal.dot(x) - offset;
      double value = d * d / 2, slope = d, curvature = 1;
      if (i % 3 == 1) {
        value = std::log(std::cosh(d));
        slope = std::tanh(d);
        curvature = 1 - slope * slope;
      } else if (i % 3 == 2) {
        value = d * d * d * d / 4;
        slope = d * d * d;
        curvature = 3 * d * d;
      }
      r.energy += weight * value;
      r.gradient += weight * slope * normal;
      r.hessian += weight * curvature * normal * normal.transpose();
    }
    return r;
  }

  std::array<Plane, 6> planes_;
  int slot_ = 0;
};

/// The least and the largest change of the energy in a step, relative to the energy, over random starts.
struct Changes {
  double least = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
};

Changes changes_on_convex(const Trial& trial, const std::string& integrator, int potentials, int steps) {
  std::mt19937 random(7);
  Changes changes;
  for (int k = 0; k < potentials; ++k) {
    Mesh mesh;
    mesh.vertices = {Vec3::Zero()};
    Model model;
    const BodyId particle = model.add(ParticlesOptions{.mesh = mesh, .mass = 1});
    model.add(particle, std::make_unique<RandomConvex>(random));
    State start = model.rest_state();
    start.x[0] = RandomConvex::random_vector(random, 2);
    start.v[0] = RandomConvex::random_vector(random, 5);
    const double h = std::pow(10, RandomConvex::uniform(random, -3, -0.5));
    Simulation simulation(std::move(model), std::move(start), {.integrator = trial.integrator(integrator), .h = h});
    double before = simulation.ledger().total;
    for (int step = 0; step < steps && simulation.step().ok(); ++step) {
      const double after = simulation.ledger().total;
      if (!(after < 1e12)) break;  // forward Euler, on its way to infinity
      changes.least = std::min(changes.least, (after - before) / before);
      changes.largest = std::max(changes.largest, (after - before) / before);
      before = after;
    }
  }
  return changes;
}

// --- Appendix C: two springs side by side ---------------------------------------------------------------------------

/// k (√(x² + 1) - √2)², what both springs hold when the mass between them is at x. [S1 eq. 47]
struct TwoSprings {
  static constexpr double k = 100;  // N/m
  static double energy(double x) { return k * stretch(x) * stretch(x); }
  static double slope(double x) { return 2 * k * stretch(x) * x / std::hypot(x, 1); }
  static double stretch(double x) { return std::hypot(x, 1) - std::sqrt(2.0); }
};

Problem two_springs() {
  Mesh mesh;
  mesh.vertices = {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)};  // the springs are at rest
  mesh.segments = {{0, 1}, {0, 2}};
  Model model;
  const BodyId springs = model.add(ParticlesOptions{.mesh = mesh, .stiffness = TwoSprings::k, .mass = 1});
  model.pin(springs, std::vector<int>{1, 2});
  State start = model.rest_state();
  return {"two-springs", "a mass between two springs", std::move(model), std::move(start), 1, 1};
}

/// Where the line l(x) = E(0) + (x + 1) E'(x_max) meets E beyond the well, x_max being where E is steepest on [-1, 1].
/// [S1 eq. 53 and 54]
double beta() {
  double steepest = 0;
  for (int i = 0; i <= 100000; ++i) steepest = std::max(steepest, TwoSprings::slope(-1 + 2e-5 * i));
  const auto above = [&](double x) { return TwoSprings::energy(x) - TwoSprings::energy(0) - (x + 1) * steepest; };
  double low = 1, high = 10;
  while (high - low > 1e-12) (above((low + high) / 2) < 0 ? low : high) = (low + high) / 2;
  return low;
}

Outcome appendix(const Trial& trial) {
  Outcome outcome;
  const int potentials = trial.pick(300, 3000);
  const Changes forward = changes_on_convex(trial, "explicit-euler", potentials, 30);
  const Changes backward = changes_on_convex(trial, "backward-euler", potentials, 30);
  constexpr double rounding = 1e-12;
  outcome.above(fmt::format("A: forward Euler on {} random convex potentials: least change of the energy in a step, "
                            "relatively",
                            potentials),
                forward.least, -rounding);
  outcome.below("B: backward Euler on them: largest change", backward.largest, rounding);
  outcome.measure("A: forward Euler: largest change of the energy in a step, relatively", forward.largest);
  outcome.measure("B: backward Euler: least change", backward.least);

  outcome.near("C: beta of lemma 2", beta(), 2.209, 5e-4);
  constexpr double h = 0.033, mass = 1;
  const double reach = (beta() + 1) / h;
  const double bound = TwoSprings::energy(0) + mass / 2 * reach * reach;
  const double slow = 0.25;
  const Swing pushed = swing(trial, two_springs(), slow, -slow / h, "backward-euler", h, 1);
  outcome.above("C: a step of backward Euler from x = 0.25 at v = -x/h raises the energy, relatively, by",
                pushed.energy.back() / pushed.energy.front() - 1, 0.01);
  double over = 0, rise = 0, fall = std::numeric_limits<double>::infinity();
  long bumps = 0, steps = 0;
  Chart chart{.title = "Fig. 18: energy by backward Euler", .y_label = "H [J]", .series = {}};
  const int starts = trial.pick(200, 2000);
  for (int i = 0; i < starts; ++i) {
    const double x = -3 + 6.0 * i / (starts - 1), v = 40 * std::sin(7.0 * i);
    Swing path = swing(trial, two_springs(), x, v, "backward-euler", h, 200);
    const double allowed = std::max(path.energy.front(), bound);
    over = std::max(over, path.max_energy() / allowed);
    for (std::size_t k = 1; k < path.energy.size(); ++k, ++steps) {
      const double change = path.energy[k] - path.energy[k - 1];
      if (change > 1e-6 * path.energy[k - 1]) ++bumps;
      rise = std::max(rise, change);
    }
    fall = std::min(fall, path.energy.front() - path.energy.back());
    if (i % (starts / 4) == starts / 8 && chart.series.size() < 3) {
      path.label = fmt::format("from x = {:.2f} m, v = {:.1f} m/s", x, v);
      chart.series.push_back(path.over_time(path.energy, h));
    }
  }
  outcome.above("C: steps in which backward Euler raises the energy, of all, in runs from everywhere",
                static_cast<double>(bumps) / static_cast<double>(steps), 0);
  outcome.below("C: largest energy over max(H₀, H_c)", over, 1 + rounding);
  outcome.measure("C: H_c", bound, "J");
  outcome.measure("C: largest rise in a step", rise, "J");
  outcome.measure("C: least fall over a run", fall, "J");

  Series potential{.name = "E", .x = {}, .y = {}}, line{.name = "l", .x = {}, .y = {}};
  double steepest = 0;
  for (int i = 0; i <= 1000; ++i) steepest = std::max(steepest, TwoSprings::slope(-1 + 2e-3 * i));
  for (int i = 0; i <= 300; ++i) {
    const double x = -3 + 0.02 * i;
    potential.x.push_back(x);
    potential.y.push_back(TwoSprings::energy(x));
    if (x < -1) continue;
    line.x.push_back(x);
    line.y.push_back(TwoSprings::energy(0) + (x + 1) * steepest);
  }
  outcome.charts = {std::move(chart),
                    {.title = "Fig. 17 and 19: E and the line that tells beta",
                     .x_label = "x [m]",
                     .y_label = "J",
                     .series = {potential, line}}};
  outcome.notes.emplace_back(
      "Primes are lost in the text of the appendix that we have: x_max is where the slope is largest. Mass and "
      "stiffness of Fig. 18 are not told: 1 kg and 100 N/m here, h = 33 ms.");
  return outcome;
}

}  // namespace

Experiments s1_points() {
  return {
      {"s1-fig2-3", "S1 Fig. 2 and 3",
       "Implicit midpoint keeps a revolving spring within its circle at h = 0.33 ms; at 33 ms it leaves it, and its "
       "energy rises by orders of magnitude while angular momentum is exact.",
       "One spring of length 1 m, k = 1e5 N/m, with 0.5 kg, stretched to 1.5 m, thrown at 10 m/s; 33 s.", spring},
      {"s1-appendix", "S1 Fig. 17, 18 and 19",
       "Forward Euler never lowers, backward Euler never raises the energy in convex potentials. In one that is not "
       "convex, backward Euler does now and then, but never above max(H₀, H_c); beta = 2.209.",
       "3000 random convex potentials of a point, 30 steps each; E = k (√(x² + 1) - √2)², 2000 starts, 200 steps each.",
       appendix},
  };
}

}  // namespace brio
