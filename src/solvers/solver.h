/// What finds the minimum of a step's objective. Solvers know nothing of time.
#pragma once

#include <memory>
#include <string>

#include "brio/solvers.h"
#include "objective/step_objective.h"

namespace brio {

/// Where a solve ended and what it cost. Starts as a failure.
struct SolveReport {
  enum class Status { failed, unconverged, converged };
  Status status = Status::failed;
  int iterations = 0;
  int factorizations = 0;
  int evaluations = 0;  ///< of the objective by line searches
  double residual = 0;  ///< |∇Φ| / |forces in play|, in the norm of StepObjective
  SolveTimes times{};
  const char* linear = "";  ///< which linear solver was used, and why; lives as long as the program
  std::string message{};    ///< what went wrong; empty when converged

  bool converged() const { return status == Status::converged; }
};

class Solver {
 public:
  virtual ~Solver() = default;
  /// Moves x from its guess to the minimum; vertices that are pinned stay. Unless it failed, x is the best point found
  /// and finite.
  virtual SolveReport solve(StepObjective& objective, NodalField& x) = 0;
};

/// Φ and ∇Φ where a solve starts: at the guess x or, where that lies outside the domain of a barrier-like material, at
/// the positions before the step, which x then is. False when Φ is not finite there either; the report says so.
bool evaluate_guess(StepObjective& objective, NodalField& x, NodalField& g, double& phi, SolveReport& report);

/// Brings Φ and ∇Φ at the iterate x up to date where the objective becomes another near its minimum; `cut`: the line
/// search shortened the step that led to x.
void refine(StepObjective& objective, const NodalField& x, bool cut, NodalField& g, double& phi,
            const SolveReport& report);

/// Notes the residual; where |∇Φ| has come down to its goal the report says converged, and this is true.
bool has_converged(StepObjective& objective, const NodalField& g, double tolerance, SolveReport& report);

/// Where a solver finds no way down: converged all the same if only rounding is left, else `message` says what
/// happened.
void end_stalled(const StepObjective& objective, double norm, const char* what, SolveReport& report);

/// The one that the options name. Throws InputError for options that do not fit together.
std::unique_ptr<Solver> make_solver(const SolverOptions& options);

}  // namespace brio
