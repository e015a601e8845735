#include "integrators/quadrature.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace brio {

/// Nodes are the roots of Legendre's polynomial, by Newton's method from their asymptotic places.
Quadrature gauss(int points) {
  Quadrature rule;
  for (int k = 0; k < points; ++k) {
    double x = -std::cos(std::numbers::pi * (k + 0.75) / (points + 0.5));
    double slope = 1;
    for (int iteration = 0; iteration < 20; ++iteration) {
      double p = x, before = 1;
      for (int n = 2; n <= points; ++n) {
        const double next = ((2 * n - 1) * x * p - (n - 1) * before) / n;
        before = p;
        p = next;
      }
      slope = points * (x * p - before) / (x * x - 1);
      if (points == 1) slope = 1;
      x -= p / slope;
    }
    rule.nodes.push_back((1 + x) / 2);
    rule.weights.push_back(1 / ((1 - x * x) * slope * slope));
  }
  return rule;
}

namespace {
Quadrature simpson() { return {{0, 0.5, 1}, {1.0 / 6, 2.0 / 3, 1.0 / 6}}; }
}  // namespace

Quadrature exact_quadrature(const Model& model, Averaging averages) {
  int degree = 1;
  for (const auto& energy : model.energies()) {
    if (energy->takes_mean(averages)) continue;  // needs no rule
    const int own = energy->force_degree();
    degree = std::max(degree, own == 0 ? 5 : own);
  }
  return gauss((degree + 2) / 2);  // integer division: 1 for 1, 2 for 3, 3 for 5
}

Quadrature quadrature(const IntegratorOptions& options) {
  if (options.quadrature == QuadratureRule::automatic || options.quadrature == QuadratureRule::adaptive) return {};
  if (options.quadrature == QuadratureRule::simpson) return simpson();
  if (options.quadrature != QuadratureRule::rule)
    return gauss(1 + static_cast<int>(options.quadrature) - static_cast<int>(QuadratureRule::gauss1));
  Quadrature rule{options.nodes, options.weights};
  if (rule.nodes.empty() || rule.nodes.size() != rule.weights.size())
    throw InputError(
        {.key = "integrator.weights",
         .value = fmt::format("{} numbers", rule.weights.size()),
         .problem = fmt::format("must be as many as the nodes, of which there are {}", rule.nodes.size())});
  const double sum = std::accumulate(rule.weights.begin(), rule.weights.end(), 0.0);
  if (std::abs(sum - 1) > 1e-12)
    throw InputError({.key = "integrator.weights", .value = fmt::format("sum {}", sum), .problem = "must sum to 1"});
  return rule;
}

}  // namespace brio
