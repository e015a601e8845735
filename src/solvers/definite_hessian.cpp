#include "solvers/definite_hessian.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/memory.h"
#include "core/timer.h"
#include "solvers/linear/elimination.h"

namespace brio {
namespace {

constexpr double nearly_exact = 1e-12;  ///< tolerance of iterative solvers

}  // namespace

void DefiniteHessian::begin(Objective& objective, SolveReport& report) {
  if (pattern_ != objective.pattern()) {
    if (!pattern_ || !same_graph(*pattern_, *objective.pattern())) {
      H_.reset();
      linear_.reset();
    }
    pattern_ = objective.pattern();
    iterative_ = is_iterative(options_.linear, *pattern_);
  }
  was_indefinite_ = false;
  inertia_ = 0;
  const bool factored = iterative_ && scalar_.prepare(objective, report);
  if (!H_) {  // not before the factor is made, which for a moment takes more memory than all the rest
    claim_memory(
        72.0 * static_cast<double>(pattern_->blocks()),
        {.key = "solver",
         .problem = fmt::format("a matrix of {:.3g} million 3x3 blocks", static_cast<double>(pattern_->blocks()) / 1e6),
         .advice = "choose a coarser mesh, or an explicit integrator"});
    H_ = std::make_unique<BlockMatrix>(pattern_);
    linear_ = make_linear_solver(options_.linear, pattern_);
    diagonal_.resize(pattern_->vertices());
  }
  linear_->precondition(factored ? &scalar_.factor() : nullptr);
}

void DefiniteHessian::fill(Objective& objective, const NodalField& x, Projection projection, NodalField& g,
                           SolveReport& report, double shift) {
  const Stopwatch watch;
  objective.hessian(x, projection, g, *H_);
  if (shift != 0)
    for (int j = 0; j < pattern_->vertices(); ++j)
      for (std::size_t c = 0; c < 3; ++c) H_->block(pattern_->column_start[j])[4 * c] += shift;
  report.times.assembly += watch.milliseconds();
}

void DefiniteHessian::assemble(Objective& objective, const NodalField& x, NodalField& g, SolveReport& report,
                               double shift) {
  fill(objective, x, Projection::none, g, report, shift);
}

bool DefiniteHessian::factor(SolveReport& report) {
  const Stopwatch watch;
  const bool positive = linear_->factor(*H_);
  report.times.factor += watch.milliseconds();
  ++report.factorizations;
  return positive;
}

template <class Usable>
bool DefiniteHessian::find(Objective& objective, const NodalField& x, NodalField& g, SolveReport& report, double shift,
                           Usable usable) {
  // Residual below which curvature may have become positive.
  const double near = objective.prefers_inertia() ? 0.1 : 1e-2;
  const bool project = projecting_;
  if (!(project && was_indefinite_) || report.residual < near) {
    fill(objective, x, Projection::none, g, report, shift);
    if (usable()) return true;
    was_indefinite_ = true;
    if (objective.prefers_inertia() && report.residual < near) {
      // What was needed at the last iterate is seldom far from what is needed at this one.
      constexpr double step = 10, fewest = 0.001, most = 1;
      double before = 0;
      for (inertia_ = std::max(fewest, inertia_ / step); inertia_ <= most; before = inertia_, inertia_ *= step) {
        objective.add_inertia(inertia_ - before, *H_);
        if (usable()) return true;
      }
    }
  }
  if (project) {
    fill(objective, x, Projection::psd, g, report, std::max(shift, 0.0));
    if (usable()) return true;
  }
  // Also where the positive part alone is beyond what Cholesky can factor.
  double before = 0;
  for (double s = 1e-10; s < 1e10; before = s, s *= 10) {
    for (int j = 0; j < pattern_->vertices(); ++j) {
      double* block = H_->block(pattern_->column_start[j]);
      if (before == 0) diagonal_[j] = std::max({std::abs(block[0]), std::abs(block[4]), std::abs(block[8])});
      for (std::size_t c = 0; c < 3; ++c) block[4 * c] += (s - before) * diagonal_[j];
    }
    if (usable()) return true;
  }
  return false;
}

LinearReport DefiniteHessian::factor_and_solve(const NodalField& b, NodalField& d, double tolerance,
                                               SolveReport& report) {
  if (!factor(report)) return {.indefinite = true};
  const Stopwatch watch;
  const LinearReport solved = linear_->solve(b, d, tolerance);
  report.times.solve += watch.milliseconds();
  return solved;
}

bool DefiniteHessian::make_and_solve(Objective& objective, const NodalField& x, NodalField& g, const NodalField& b,
                                     NodalField& d, SolveReport& report, double shift) {
  LinearReport solved;
  const bool found = find(objective, x, g, report, shift, [&] {
    solved = factor_and_solve(b, d, nearly_exact, report);
    return !solved.indefinite;
  });
  return found && solved.solved;
}

bool DefiniteHessian::descend(Objective& objective, const NodalField& x, NodalField& g, NodalField& d, double tolerance,
                              SolveReport& report) {
  const bool found =
      find(objective, x, g, report, 0, [&] { return !factor_and_solve(g, d, tolerance, report).indefinite; });
  for_vertices(d.size(), [&](std::size_t i) { d[i] = -d[i]; });
  return found;
}

bool DefiniteHessian::solve(const NodalField& b, NodalField& d, SolveReport& report) {
  const Stopwatch watch;
  const bool solved = linear_->solve(b, d, nearly_exact).solved;
  report.times.solve += watch.milliseconds();
  return solved;
}

}  // namespace brio
