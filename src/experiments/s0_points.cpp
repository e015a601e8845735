/// S0 Fig. 2 and 3: one particle of 1 kg in one dimension, one step of which is asked for.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "experiments/rows.h"
#include "experiments/swing.h"

namespace brio {
namespace {

// --- Fig. 3: two wells -------------------------------------------------------------------------------------------

/// 10 x + 1500 (x² - 1)²: gravity and an StVK spring. [S0 section 4]
struct DoubleWell {
  static double energy(double x) { return 10 * x + 1500 * (x * x - 1) * (x * x - 1); }
  static double slope(double x) { return 10 + 6000 * x * (x * x - 1); }
  static double curvature(double x) { return 6000 * (3 * x * x - 1); }
};

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
  const Swing one = swing(trial, "s0-fig3", "avf", step.h, 1, options);
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

// --- Fig. 2: a quartic spring ------------------------------------------------------------------------------------

/// The equations a(x, v) = 0 of one step of the midpoint discrete gradient of H(x, v) = v²/2 + 128 x⁴.
/// [Gonzalez 1996; S0 section 4]
struct PhaseSpaceStep {
  double x_n = -1.10, v_n = 12.25, h = 0.033;

  static double H(double x, double v) { return v * v / 2 + 128 * x * x * x * x; }
  Eigen::Vector2d a(const Eigen::Vector2d& z) const {
    const Eigen::Vector2d start(x_n, v_n), way = z - start, middle = (z + start) / 2;
    Eigen::Vector2d gradient(512 * std::pow(middle[0], 3), middle[1]);
    const double square = way.squaredNorm();
    if (square > 0) gradient += (H(z[0], z[1]) - H(x_n, v_n) - gradient.dot(way)) / square * way;
    return way - h * Eigen::Vector2d(gradient[1], -gradient[0]);
  }
  double merit(const Eigen::Vector2d& z) const { return a(z).squaredNorm(); }
  Eigen::Matrix2d slope(const Eigen::Vector2d& z) const {
    Eigen::Matrix2d J;
    for (int k = 0; k < 2; ++k) {
      const double d = 1e-6 * std::max(1.0, std::abs(z[k]));
      Eigen::Vector2d low = z, high = z;
      low[k] -= d;
      high[k] += d;
      J.col(k) = (a(high) - a(low)) / (2 * d);
    }
    return J;
  }

  /// Newton's method on a, with backtracking while the merit does not decrease: as root finders are built.
  Eigen::Vector2d search(Eigen::Vector2d z) const {
    for (int i = 0; i < 500; ++i) {
      const Eigen::Vector2d way = -slope(z).inverse() * a(z);
      double part = 1;
      while (part > 1e-12 && !(merit(z + part * way) < (1 - 1e-4 * part) * merit(z))) part /= 2;
      if (part <= 1e-12) break;
      z += part * way;
    }
    return z;
  }

  /// The minimum of ‖a‖² downhill from z, by Levenberg's method.
  Eigen::Vector2d minimum(Eigen::Vector2d z) const {
    double lambda = 1e-8;
    for (int i = 0; i < 2000 && lambda < 1e12; ++i) {
      const Eigen::Matrix2d J = slope(z);
      const Eigen::Matrix2d normal = J.transpose() * J + lambda * Eigen::Matrix2d::Identity();
      const Eigen::Vector2d next = z - normal.inverse() * (J.transpose() * a(z));
      if (merit(next) < merit(z)) {
        z = next;
        lambda /= 10;
      } else {
        lambda *= 10;
      }
    }
    return z;
  }
};

/// Where ‖a‖² takes a value, as the ends of short segments, cell by cell. [Lorensen & Cline 1987, in the plane]
Series contour(const PhaseSpaceStep& step, double level) {
  Series series{.name = fmt::format("‖a‖² = {:g}", level), .x = {}, .y = {}};
  constexpr int cells = 160;
  const auto corner = [](int i, int j) { return Eigen::Vector2d(-2 + 4.0 * i / cells, -15 + 60.0 * j / cells); };
  for (int i = 0; i < cells; ++i)
    for (int j = 0; j < cells; ++j) {
      const std::array<Eigen::Vector2d, 5> at{corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1),
                                              corner(i, j)};
      int ends = 0;
      for (int k = 0; k < 4; ++k) {
        const double from = step.merit(at[k]) - level, to = step.merit(at[k + 1]) - level;
        if ((from < 0) == (to < 0)) continue;
        const Eigen::Vector2d end = at[k] + from / (from - to) * (at[k + 1] - at[k]);
        series.x.push_back(end[0]);
        series.y.push_back(end[1]);
        if (++ends % 2 != 0) continue;
        series.x.push_back(std::numeric_limits<double>::quiet_NaN());  // the pen is lifted
        series.y.push_back(std::numeric_limits<double>::quiet_NaN());
      }
    }
  return series;
}

Outcome fig2(const Trial& trial) {
  Outcome outcome;
  const PhaseSpaceStep large, small{.h = 0.0066};
  const double start = PhaseSpaceStep::H(large.x_n, large.v_n);
  const auto found = [](const PhaseSpaceStep& step) { return step.search({step.x_n + step.h * step.v_n, step.v_n}); };
  const Eigen::Vector2d stuck = found(large), right = found(small);
  outcome.above("h = 0.033 s: ‖a‖ where root finding from (x + h v, v) ends", std::sqrt(large.merit(stuck)), 0.1);
  outcome.above("h = 0.033 s: energy there differs from that of the start by, relatively",
                std::abs(PhaseSpaceStep::H(stuck[0], stuck[1]) / start - 1), 0.01);
  outcome.below("h = 0.0066 s: ‖a‖ where root finding ends", std::sqrt(small.merit(right)), 1e-8);
  outcome.below("h = 0.0066 s: energy there differs from that of the start by, relatively",
                std::abs(PhaseSpaceStep::H(right[0], right[1]) / start - 1), 1e-9);
  outcome.measure("energy of the start", start, "J");
  outcome.near("h = 0.033 s: x where root finding gets stuck", stuck[0], 1.112, 0.001, "m");
  outcome.near("v there", stuck[1], 12.63, 0.01, "m/s");
  outcome.near("energy there", PhaseSpaceStep::H(stuck[0], stuck[1]), 275.67, 0.01, "J");
  const Eigen::Vector2d lowest = large.minimum(stuck);
  outcome.above("‖a‖ in the false minimum nearby", std::sqrt(large.merit(lowest)), 0.1);
  outcome.measure("x of the false minimum", lowest[0], "m");
  outcome.measure("v of the false minimum", lowest[1], "m/s");

  for (const double h : {large.h, small.h}) {
    const Swing run =
        swing(trial, "s0-fig2", "avf", h, std::lround(trial.pick(6.6, 66.0) / h), {.solver = {.tolerance = 1e-14}});
    double most = 0;
    for (const double energy : run.energy) most = std::max(most, std::abs(energy / start - 1));
    outcome.below(
        fmt::format("avf at h = {:g} s: largest change of energy in {} steps, relatively", h, run.energy.size() - 1),
        most, 1e-9);
    outcome.charts.push_back({.title = fmt::format("avf at h = {:g} s", h),
                              .x_label = "time [s]",
                              .y_label = "energy over that of the start",
                              .series = {run.over_time(run.energy, h)}});
    for (double& energy : outcome.charts.back().series[0].y) energy /= start;
  }
  Chart chart{.title = "Fig. 2: ‖a‖² of one step of 0.033 s", .x_label = "x [m]", .y_label = "v [m/s]", .series = {}};
  for (const double level : {0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0}) chart.series.push_back(contour(large, level));
  chart.series.push_back({.name = "stuck", .x = {stuck[0], stuck[0] + 0.02}, .y = {stuck[1], stuck[1]}});
  outcome.charts.insert(outcome.charts.begin(), std::move(chart));
  outcome.notes.emplace_back(
      "S0 means the discrete gradient of H(x, v); that of E(x) alone is AVF in one dimension, whose equation has no "
      "false minimum here. The figure's caption says h = 0.003 s, the text 0.033 s, which is right.");
  return outcome;
}

}  // namespace

Experiments s0_points() {
  return {{"s0-fig2", "S0 Fig. 2",
           "Root finding for the midpoint discrete gradient gets stuck in a false minimum at h = 0.033 s, where energy "
           "is not kept, and not at 0.0066 s; AVF keeps the energy at both.",
           "One particle of 1 kg, E = 128 x⁴, from (-1.10, 12.25), discrete gradient in phase space and AVF.", fig2},
          {"s0-fig3", "S0 Fig. 3",
           "AVF's equation F has one root; F² has a second, false minimum, where root finding gets stuck; g, whose "
           "derivative F is, has one minimum, which minimizing reaches from everywhere.",
           "One particle of 1 kg, E = 10 x + 1500 (x² - 1)², x = 0.6, v = -9, one step of h = 0.04 s.", fig3}};
}

}  // namespace brio
