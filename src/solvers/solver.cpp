#include "solvers/solver.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/time_budget.h"
#include "core/timer.h"

namespace brio {
namespace {

/// To where the step begins, as far as nothing passes through pinned vertices, which stay where it ends.
void retreat(Objective& objective, NodalField& x) {
  NodalField start = x;
  objective.return_to_start(start);
  const double fraction = objective.free_path(x, start);
  for_vertices(x.size(), [&](std::size_t i) { x[i] += fraction * (start[i] - x[i]); });
  if (fraction == 1) x = start;
}

}  // namespace

bool evaluate_guess(Objective& objective, NodalField& x, NodalField& g, double& phi, SolveReport& report) {
  const Stopwatch watch;
  phi = objective.gradient(x, g);
  if (!std::isfinite(phi)) {
    retreat(objective, x);
    phi = objective.gradient(x, g);
  }
  report.times.assembly += watch.milliseconds();
  const bool has_forces = std::isfinite(objective.norm(g));
  if (std::isfinite(phi) && has_forces) return true;
  report.message =
      has_forces ? "the energy is not finite where the step starts" : "forces are not finite where the step starts";
  return false;
}

void refine(Objective& objective, const NodalField& x, bool cut, NodalField& g, double& phi,
            const SolveReport& report) {
  objective.refine(x, {.iteration = report.iterations, .residual = objective.relative(objective.norm(g)), .cut = cut},
                   g, phi);
}

bool has_converged(Objective& objective, const NodalField& g, double tolerance, SolveReport& report) {
  const double norm = objective.norm(g);
  const bool is_number = std::isfinite(norm);
  report.residual = is_number ? objective.relative(norm) : std::numeric_limits<double>::infinity();
  if (!is_number || norm > objective.goal(tolerance)) return false;
  report.status = SolveReport::Status::converged;
  return true;
}

bool is_out_of_time(SolveReport& report) {
  if (report.iterations == 0 || !out_of_time()) return false;
  report.out_of_time = true;
  report.message = "out of time";  // short enough to need no heap
  return true;
}

bool is_exhausted(const Objective& objective, SolveReport& report) {
  if (report.iterations == 0 || !objective.is_exhausted()) return false;
  report.message = "too much work";
  return true;
}

void end_stalled(const Objective& objective, double norm, const char* what, SolveReport& report) {
  if (objective.at_rounding(norm)) {
    report.status = SolveReport::Status::converged;
  } else {
    report.message = fmt::format("{} after {} iterations", what, report.iterations);
  }
}

}  // namespace brio
