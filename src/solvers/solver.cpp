#include "solvers/solver.h"

#include <fmt/format.h>

#include <cmath>

#include "core/timer.h"
#include "solvers/lbfgs.h"
#include "solvers/local_global.h"
#include "solvers/newton.h"
#include "solvers/root.h"

namespace brio {

bool evaluate_guess(StepObjective& objective, NodalField& x, NodalField& g, double& phi, SolveReport& report) {
  const Stopwatch watch;
  phi = objective.gradient(x, g);
  if (!std::isfinite(phi)) {
    objective.return_to_start(x);
    phi = objective.gradient(x, g);
  }
  report.times.assembly += watch.milliseconds();
  if (std::isfinite(phi)) return true;
  report.message = "the energy is not finite where the step starts";
  return false;
}

void refine(StepObjective& objective, const NodalField& x, bool cut, NodalField& g, double& phi,
            const SolveReport& report) {
  objective.refine(x, {.iteration = report.iterations, .residual = objective.relative(objective.norm(g)), .cut = cut},
                   g, phi);
}

bool has_converged(StepObjective& objective, const NodalField& g, double tolerance, SolveReport& report) {
  const double norm = objective.norm(g);
  report.residual = objective.relative(norm);
  if (norm > objective.goal(tolerance)) return false;
  report.status = SolveReport::Status::converged;
  return true;
}

void end_stalled(const StepObjective& objective, double norm, const char* what, SolveReport& report) {
  if (objective.at_rounding(norm)) {
    report.status = SolveReport::Status::converged;
  } else {
    report.message = fmt::format("{} after {} iterations", what, report.iterations);
  }
}

std::unique_ptr<Solver> make_solver(const SolverOptions& options) {
  if (options.name == "newton") return std::make_unique<Newton>(options);
  if (options.name == "local-global") return std::make_unique<LocalGlobal>(options);
  if (options.name == "lbfgs") return std::make_unique<Lbfgs>(options);
  if (options.name == "root") return std::make_unique<RootFinder>(options);
  throw InputError({.key = "solver.name", .value = options.name, .problem = "not available in this version"});
}

}  // namespace brio
