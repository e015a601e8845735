/// What solvers share. They see an objective, and know nothing of time, nor of models.
#pragma once

#include "brio/solvers.h"
#include "math/nodal_ops.h"

namespace brio {

/// Φ and ∇Φ where a solve starts: at the guess x or, where that lies outside the domain of a barrier-like material,
/// where the objective returns to, which x then is. False when Φ is not finite there either; the report says so.
bool evaluate_guess(Objective& objective, NodalField& x, NodalField& g, double& phi, SolveReport& report);

/// Brings Φ and ∇Φ at the iterate x up to date where the objective becomes another near its minimum; `cut`: the line
/// search shortened the step that led to x.
void refine(Objective& objective, const NodalField& x, bool cut, NodalField& g, double& phi, const SolveReport& report);

/// Notes the residual; where |∇Φ| has come down to its goal the report says converged, and this is true.
bool has_converged(Objective& objective, const NodalField& g, double tolerance, SolveReport& report);

/// Whether to end with what the iterations done have found, one or more, since time is up; the report then says so.
bool is_out_of_time(SolveReport& report);
/// Likewise where the objective allows no more work: Objective::is_exhausted.
bool is_exhausted(const Objective& objective, SolveReport& report);

/// Where a solver finds no way down: converged all the same if only rounding is left, else `message` says what
/// happened.
void end_stalled(const Objective& objective, double norm, const char* what, SolveReport& report);

}  // namespace brio
