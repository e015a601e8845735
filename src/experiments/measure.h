/// What a method does, measured: the other half of what the registry declares.
#pragma once

#include "experiments/problems.h"

namespace brio {

/// Options with a solver that is accurate enough for its error not to show.
IntegratorOptions precise();

/// √(Σ|Δx|² + |Δv|²), in SI units.
double distance(const State& a, const State& b);

/// The problem after its duration in so many steps; not finite when a step failed.
State run(const Method& method, const IntegratorOptions& options, const Problem& problem, int steps);

/// Order of the global error: log2 of its ratio between h and h/2, for the finest h whose error stands clear of
/// rounding or for which the ratio has settled. Steps too coarse for the method to take are passed over; NaN when all
/// are.
double measured_order(const Method& method, const IntegratorOptions& options, const Problem& problem);

/// The same with damping, which may act between steps: by a simulation, compared with refined runs of itself.
double measured_order(const Method& method, const IntegratorOptions& options, const Problem& problem,
                      const Damping& damping);

/// How far the method has come when it takes the problem's coarse steps forward and, with velocities turned round,
/// back.
double round_trip_error(const Method& method, const IntegratorOptions& options, const Problem& problem);

/// Largest entry of |JᵀΩJ − Ω| for J = ∂(x', v')/∂(x, v) over the coarse steps of `planar_spring`, by differences: zero
/// for symplectic methods. (With one freedom it would be |det J − 1|, the change of phase-space area.)
double symplectic_defect(const Method& method, const IntegratorOptions& options);

/// Largest change over so many steps of h [s], relative to the start.
struct MomentumDrift {
  double linear;
  double angular;
};
MomentumDrift momentum_drift(const Method& method, const IntegratorOptions& options, const Problem& problem, double h,
                             int steps);

}  // namespace brio
