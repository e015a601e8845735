#include "solvers/lbfgs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/timer.h"

namespace brio {

void Lbfgs::prepare(std::size_t vertices) {
  count_ = 0;
  if (g_.size() == vertices) return;
  g_ = d_ = before_x_ = before_g_ = NodalField(vertices);
  s_.assign(options_.window, NodalField(vertices));
  y_.assign(options_.window, NodalField(vertices));
  sy_.resize(options_.window);
  alpha_.resize(options_.window);
}

void Lbfgs::find_direction(Objective& objective, const NodalField& x, SolveReport& report) {
  const Stopwatch watch;
  const double solved_before = report.times.solve;
  const int first = std::max(0, count_ - options_.window);
  NodalField& q = before_g_;  // not needed until the next step is taken
  q = g_;
  for (int k = count_ - 1; k >= first; --k) {
    const int slot = k % options_.window;
    alpha_[slot] = sum_.dot(s_[slot], q) / sy_[slot];
    add_scaled(q, -alpha_[slot], y_[slot], q);
  }
  matrix_.descend(objective, x, q, d_, report);
  for (int k = first; k < count_; ++k) {
    const int slot = k % options_.window;
    const double beta = sum_.dot(y_[slot], d_) / sy_[slot];
    add_scaled(d_, -alpha_[slot] - beta, s_[slot], d_);
  }
  report.times.solve = solved_before + watch.milliseconds();
}

void Lbfgs::remember(const NodalField& x) {
  const int slot = count_ % options_.window;
  NodalField &s = s_[slot], &y = y_[slot];
  add_scaled(x, -1, before_x_, s);
  add_scaled(g_, -1, before_g_, y);
  const double sy = sum_.dot(s, y);
  // Only pairs with positive curvature keep the metric positive definite.
  const double size = std::sqrt(sum_.dot(s, s) * sum_.dot(y, y));
  if (!(sy > 1e-12 * size)) return;
  sy_[slot] = sy;
  ++count_;
}

SolveReport Lbfgs::solve(Objective& objective, NodalField& x) {
  guess_ = x;
  SolveReport report = iterate(objective, x);
  if (report.status != SolveReport::Status::unconverged || report.out_of_time || options_.iterations > 0) return report;
  x = guess_;  // where it ended may be far from any solution
  if (!newton_) newton_.emplace(SolverOptions{.tolerance = options_.tolerance});
  SolveReport after = newton_->solve(objective, x);
  after.iterations += report.iterations;
  after.factorizations += report.factorizations;
  after.evaluations += report.evaluations;
  after.times += report.times;
  return after;
}

SolveReport Lbfgs::iterate(Objective& objective, NodalField& x) {
  prepare(x.size());
  SolveReport report;
  constexpr int plenty = 500;  // each costs a small part of one of Newton's
  constexpr int digit = 50;    // too slow is what does not gain a digit within so many
  const bool hands_over = options_.iterations == 0;
  const int max_iterations = hands_over ? plenty : options_.iterations;
  double phi = 0, residual_before = std::numeric_limits<double>::infinity();
  if (!evaluate_guess(objective, x, g_, phi, report)) return report;
  if (!matrix_.prepare(objective, report)) {
    report.message = "the matrix of lbfgs is not positive definite";
    return report;
  }
  report.status = SolveReport::Status::unconverged;
  for (;; ++report.iterations) {
    refine(objective, x, false, g_, phi, report);
    if (has_converged(objective, g_, options_.tolerance, report)) return report;
    if (is_out_of_time(report) || is_exhausted(objective, report)) return report;
    if (report.iterations == max_iterations) break;
    if (hands_over && report.iterations % digit == 0) {
      if (report.residual > residual_before / 10) break;
      residual_before = report.residual;
    }
    LineSearch::Result found;
    for (bool again = true; again && !found.found;) {
      find_direction(objective, x, report);
      before_x_ = x;
      before_g_ = g_;
      const Stopwatch watch;
      found = search_(objective, x, g_, d_, phi);
      report.times.search += watch.milliseconds();
      report.evaluations += found.evaluations;
      again = count_ > 0;
      if (!found.found) count_ = 0;  // what was learnt misleads here: once more without it
    }
    if (!found.found) {
      end_stalled(objective, objective.norm(g_), "the line search stalled", report);
      return report;
    }
    phi = found.value;
    remember(x);
  }
  report.message = fmt::format("{} iterations were not enough", report.iterations);
  return report;
}

}  // namespace brio
