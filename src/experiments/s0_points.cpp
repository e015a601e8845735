/// S0 Fig. 2 and 3: one particle of 1 kg in one dimension, one step of which is asked for.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "brio/sim.h"
#include "experiments/point_energy.h"
#include "experiments/rows.h"
#include "experiments/swing.h"

namespace brio {
namespace {

/// 10 x + 1500 (x² - 1)²: gravity and an StVK spring. [S0 section 4]
struct DoubleWell {
  static constexpr double stiffness = 12000;  // N/m, the curvature in its wells
  static double energy(double x) { return 10 * x + 1500 * (x * x - 1) * (x * x - 1); }
  static double slope(double x) { return 10 + 6000 * x * (x * x - 1); }
  static double curvature(double x) { return 6000 * (3 * x * x - 1); }
  PointResponse respond(const Vec3& x, Projection projection) const {
    PointResponse r{energy(x[0]), Vec3(slope(x[0]), 0, 0), Eigen::Matrix3d::Zero()};
    r.hessian(0, 0) = projection == Projection::psd ? std::max(curvature(x[0]), 0.0) : curvature(x[0]);
    return r;
  }
};

Problem double_well() {
  Mesh mesh;
  mesh.vertices = {Vec3::Zero()};
  Model model;
  const BodyId particle = model.add(ParticlesOptions{.mesh = mesh, .mass = 1});
  model.add(particle, std::make_unique<PointEnergy<DoubleWell>>("double-well", 0, DoubleWell{}));
  State start = model.rest_state();
  return {"double-well", "a particle between two wells", std::move(model), std::move(start), 1, 1};
}

/// The equation of AVF for one step, and what it is the derivative of. [S0 eq. 11 and 12]
struct AvfStep {
  double x_n, v_n, h;
  double y() const { return x_n + h * v_n - h * h / 12 * DoubleWell::slope(x_n); }
  double g(double x) const {
    const double d = x - y();
    return d * d / 2 + 2 * h * h / 3 * DoubleWell::energy((x_n + x) / 2) + h * h / 12 * DoubleWell::energy(x);
  }
  double F(double x) const {
    return x - y() + h * h / 3 * DoubleWell::slope((x_n + x) / 2) + h * h / 12 * DoubleWell::slope(x);
  }
  double dF(double x) const {
    return 1 + h * h / 6 * DoubleWell::curvature((x_n + x) / 2) + h * h / 12 * DoubleWell::curvature(x);
  }
};

/// Where f changes its sign from minus to plus, to a hundred-thousandth of the interval.
template <class Function>
std::vector<double> minima(Function slope, double low, double high) {
  constexpr int cells = 100000;
  std::vector<double> list;
  for (int i = 0; i < cells; ++i) {
    const double a = low + (high - low) * i / cells, b = low + (high - low) * (i + 1) / cells;
    if (slope(a) < 0 && slope(b) >= 0) list.push_back((a + b) / 2);
  }
  return list;
}

/// Newton's method down the slope of a function, its curvature made positive, with backtracking: from x to a minimum.
template <class Value, class Slope, class Curvature>
double descend(double x, Value value, Slope slope, Curvature curvature) {
  for (int i = 0; i < 200; ++i) {
    const double step = -slope(x) / std::max(std::abs(curvature(x)), 1e-12);
    double length = 1;
    while (length > 1e-14 && !(value(x + length * step) < value(x))) length /= 2;
    if (length <= 1e-14) break;
    x += length * step;
  }
  return x;
}

Series sampled(const std::string& name, const std::function<double(double)>& f, double low, double high) {
  Series series{.name = name, .x = {}, .y = {}};
  for (int i = 0; i <= 400; ++i) {
    series.x.push_back(low + (high - low) * i / 400);
    series.y.push_back(f(series.x.back()));
  }
  return series;
}

Outcome fig3(const Trial& trial) {
  const AvfStep step{.x_n = 0.6, .v_n = -9, .h = 0.04};
  Outcome outcome;
  const auto F = [&](double x) { return step.F(x); };
  const auto square = [&](double x) { return step.F(x) * step.F(x); };
  const auto square_slope = [&](double x) { return 2 * step.F(x) * step.dF(x); };
  const auto roots = minima(F, -2, 2);  // F rises through each root that is a minimum of g
  const auto merit = minima(square_slope, -2, 2);
  int crossings = 0;
  for (int i = 0; i < 100000; ++i) crossings += F(-2 + 4e-5 * i) * F(-2 + 4e-5 * (i + 1)) < 0 ? 1 : 0;
  outcome.near("roots of F in [-2, 2]", crossings, 1, 0);
  outcome.near("local minima of g in [-2, 2]", static_cast<double>(roots.size()), 1, 0);
  outcome.near("local minima of F² in [-2, 2]", static_cast<double>(merit.size()), 2, 0);
  const double root =
      roots.empty() ? 0
                    : descend(roots[0], square, square_slope, [&](double x) { return 2 * step.dF(x) * step.dF(x); });
  outcome.measure("the root", root);
  if (!merit.empty()) outcome.measure("the false minimum of F²", merit.front());

  int found = 0, missed = 0;
  constexpr int starts = 401;
  for (int i = 0; i < starts; ++i) {
    const double from = -2 + 4.0 * i / (starts - 1);
    const double lowest = descend(
        from, [&](double x) { return step.g(x); }, F, [&](double x) { return step.dF(x); });
    const double zero = descend(from, square, square_slope, [&](double x) { return 2 * step.dF(x) * step.dF(x); });
    found += std::abs(lowest - root) < 1e-6 ? 1 : 0;
    missed += std::abs(zero - root) < 1e-6 ? 0 : 1;
  }
  outcome.near("of 401 starts in [-2, 2], minimizing g reaches the root from", found, starts, 0);
  outcome.above("minimizing F² misses it from", missed, 0);

  IntegratorOptions options;
  options.solver.tolerance = 1e-15;
  const Swing one = swing(trial, double_well(), step.x_n, step.v_n, "avf", step.h, 1, options);
  const double before = one.energy.front(), after = one.energy.back();
  outcome.near("avf takes the step to the root", one.x.back(), root, 1e-9);
  outcome.measure("energy before the step", before, "J");
  outcome.below("energy after the step differs by, relatively", std::abs(after - before) / before, 1e-12);

  Chart chart{.title = "Fig. 3", .x_label = "x", .y_label = "F, F², g, each over its largest", .series = {}};
  for (const auto& [name, f] : {std::pair<std::string, std::function<double(double)>>{"F", F},
                                {"F²", square},
                                {"g", [&](double x) { return step.g(x) - step.g(root); }}}) {
    Series series = sampled(name, f, -1.6, 1.4);
    double most = 0;
    for (const double y : series.y) most = std::max(most, std::abs(y));
    for (double& y : series.y) y /= most;
    chart.series.push_back(std::move(series));
  }
  outcome.charts.push_back(std::move(chart));
  outcome.notes.emplace_back(
      "S0 reads the root off its plot as 'close to x = 1.0'; it is at 1.1018, where the energy is that of the start.");
  return outcome;
}

}  // namespace

Experiments s0_points() {
  return {{"s0-fig3", "S0 Fig. 3",
           "AVF's equation F has one root; F² has a second, false minimum, where root finding gets stuck; g, whose "
           "derivative F is, has one minimum, which minimizing reaches from everywhere.",
           "One particle of 1 kg, E = 10 x + 1500 (x² - 1)², x = 0.6, v = -9, one step of h = 0.04 s.", fig3}};
}

}  // namespace brio
