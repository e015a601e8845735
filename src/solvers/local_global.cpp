#include "solvers/local_global.h"

#include <fmt/format.h>

#include <cmath>

#include "core/timer.h"

namespace brio {
namespace {

constexpr int default_iterations = 10;  ///< the habit of Projective Dynamics
constexpr double rounding = 1e-13;      ///< of Φ, below which its differences say nothing
constexpr int plain_start = 3;          ///< iterations before Chebyshev's weights set in; from the first they overshoot

}  // namespace

void LocalGlobal::prepare(std::size_t vertices) {
  if (g_.size() != vertices) {
    g_ = d_ = next_ = next_g_ = before_ = NodalField(vertices);
    if (options_.acceleration == Acceleration::anderson)
      anderson_ = std::make_unique<Anderson>(options_.window, vertices);
  }
  restart();
}

void LocalGlobal::restart() {
  omega_ = 1;
  since_restart_ = 0;
  if (anderson_) anderson_->restart();
}

bool LocalGlobal::propose(const NodalField& x) {
  const int k = since_restart_++;
  if (anderson_) {
    anderson_->accelerate(x, d_, next_);
    return k == 0;
  }
  const bool chebyshev = options_.acceleration == Acceleration::chebyshev && k >= plain_start;
  if (chebyshev)
    omega_ = k == plain_start ? 2 / (2 - options_.rho * options_.rho) : 4 / (4 - options_.rho * options_.rho * omega_);
  for_vertices(x.size(), [&](std::size_t i) {
    next_[i] = x[i] + d_[i];
    if (chebyshev) next_[i] = before_[i] + omega_ * (next_[i] - before_[i]);
  });
  return !chebyshev;
}

bool LocalGlobal::advance(Objective& objective, NodalField& x, double& phi, SolveReport& report) {
  const Stopwatch watch;
  for (bool plain = propose(x);; plain = propose(x)) {
    if (const double fraction = objective.free_path(x, next_); fraction < 1)
      for_vertices(x.size(), [&](std::size_t i) { next_[i] = x[i] + fraction * (next_[i] - x[i]); });
    const double value = objective.gradient(next_, next_g_);
    if (value <= phi + rounding * (std::abs(phi) + std::abs(value))) {
      std::swap(before_, x);
      std::swap(x, next_);
      std::swap(g_, next_g_);
      phi = value;
      report.times.assembly += watch.milliseconds();
      return true;
    }
    ++report.evaluations;
    restart();
    if (plain) break;
  }
  const LineSearch::Result found = search_(objective, x, g_, d_, phi);
  report.evaluations += found.evaluations;
  report.times.search += watch.milliseconds();
  if (found.found) phi = found.value;
  return found.found;
}

SolveReport LocalGlobal::solve(Objective& objective, NodalField& x) {
  prepare(x.size());
  SolveReport report;
  const int max_iterations = options_.iterations > 0 ? options_.iterations : default_iterations;
  double phi = 0;
  if (!evaluate_guess(objective, x, g_, phi, report)) return report;
  if (!matrix_.prepare(objective, report)) {
    report.message = "the matrix of local-global is not positive definite";
    return report;
  }
  report.status = SolveReport::Status::unconverged;
  for (;; ++report.iterations) {
    refine(objective, x, false, g_, phi, report);
    const double norm = objective.norm(g_);
    report.residual = objective.relative(norm);
    const bool converged = norm <= objective.goal(options_.tolerance);
    if (!converged && (is_out_of_time(report) || is_exhausted(objective, report))) return report;
    if (!converged && report.iterations == max_iterations) break;
    if (!converged) matrix_.descend(objective, x, g_, d_, report);
    if (converged || !advance(objective, x, phi, report)) {
      if (converged || objective.at_rounding(norm))
        report.status = SolveReport::Status::converged;
      else
        report.message = fmt::format("no descent after {} iterations", report.iterations);
      return report;
    }
  }
  report.message = "limit reached";  // the usual end of local-global: short enough to need no heap
  return report;
}

}  // namespace brio
