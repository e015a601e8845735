#include "solvers/line_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace brio {
namespace {

/// Where the cubic with these values and slopes at 0 and 1 is least, if it falls at 0. [Nocedal & Wright 2006, 3.59]
double lowest(double value_0, double slope_0, double value_1, double slope_1) {
  const double middle = slope_0 + slope_1 - 3 * (value_1 - value_0);
  const double square = middle * middle - slope_0 * slope_1;
  if (!(square >= 0)) return 0.5;
  const double root = std::sqrt(square);
  return 1 - (slope_1 + root - middle) / (slope_1 - slope_0 + 2 * root);
}

}  // namespace

double LineSearch::probe(Objective& objective, const NodalField& x, const NodalField& d, double step, Result& result) {
  add_scaled(x, step, d, trial_);
  ++result.evaluations;
  return objective.gradient(trial_, trial_g_);
}

void LineSearch::accept(NodalField& x, NodalField& g, double step, double value, Result& result) {
  std::swap(x, trial_);
  std::swap(g, trial_g_);
  result.found = true;
  result.step += step;
  result.value = value;
}

bool LineSearch::is_free(Objective& objective, const NodalField& x, const NodalField& d, double step) {
  if (step == 1) return objective.domain_step(x, d) == 1;
  for_vertices(x.size(), [&](std::size_t i) { stretched_[i] = step * d[i]; });
  return objective.domain_step(x, stretched_) == 1;
}

LineSearch::Result LineSearch::operator()(Objective& objective, NodalField& x, NodalField& g, const NodalField& d,
                                          double phi) {
  constexpr int max_halvings = 40;
  constexpr double enough = 1e-4;  // of the decrease that the slope promises [Nocedal & Wright 2006, section 3.1]
  constexpr double steep = 0.5;    // of the first slope: the step was too short
  if (trial_.size() != x.size()) {
    trial_ = NodalField(x.size());
    trial_g_ = NodalField(x.size());
    if (objective.limits_path()) stretched_ = NodalField(x.size());
  }
  Result result;
  const double slope = sum_.dot(g, d);
  if (!(slope < 0)) return result;
  const double start_norm = objective.norm(g);
  double step = objective.domain_step(x, d);
  if (!(step > 0)) return result;
  for (int halvings = 0; halvings < max_halvings && !result.found; ++halvings) {
    const double value = probe(objective, x, d, step, result);
    const bool blurred = std::isfinite(value) &&
                         std::abs(step * slope) <= objective.value_noise(std::max(std::abs(phi), std::abs(value)));
    if (value <= phi + enough * step * slope || (blurred && objective.norm(trial_g_) < start_norm)) {
      accept(x, g, step, value, result);
      break;
    }
    result.walled = !std::isfinite(value);
    // The minimum of the parabola through what is known, kept within a tenth and a half of the step; in contact that
    // of the cubic, since what hardly stretches rises there with the fourth power.
    const double excess = value - phi - step * slope;
    double fraction = std::isfinite(value) && excess > 0 ? -0.5 * slope * step / excess : 0.5;
    if (objective.limits_path() && std::isfinite(value))
      fraction = lowest(phi, step * slope, value, step * sum_.dot(trial_g_, d));
    step *= std::clamp(fraction, 0.1, 0.5);
  }
  // From the point reached, each time as far again as all the way so far.
  const bool limited = objective.limits_path();
  while (result.step >= 1 && sum_.dot(g, d) < steep * slope && is_free(objective, x, d, limited ? result.step : 1)) {
    const double value = probe(objective, x, d, result.step, result);
    if (!(value <= result.value + enough * result.step * slope)) break;
    accept(x, g, result.step, value, result);
  }
  return result;
}

}  // namespace brio
