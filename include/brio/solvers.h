/// Solvers of implicit steps: what can be chosen.
#pragma once

#include <string>

#include "brio/model.h"

namespace brio {

/// How a step's equations are solved. Members that a solver does not know are ignored.
struct SolverOptions {
  std::string name = "newton";        ///< "newton", "local-global", "lbfgs" or "root"
  double tolerance = 1e-10;           ///< stop when |unbalanced force| <= tolerance * |forces in play|
  int iterations = 0;                 ///< most of them; 0: 100, of local-global 10
  std::string definite = "project";   ///< newton: "project" or "tikhonov"
  std::string linear = "auto";        ///< newton: "auto", "direct" or "pcg"
  std::string acceleration = "none";  ///< local-global: "none", "chebyshev" or "anderson"
  double rho = 0.99;                  ///< chebyshev: estimated spectral radius, in [0, 1)
  int window = 5;                     ///< anderson, lbfgs: earlier iterates kept
  std::string unconverged = "auto";   ///< what to do with a step that does not converge: "stop", "accept", "substep";
                                      ///< "auto": local-global accepts, the others substep
};

/// Where the time of solves went [ms].
struct SolveTimes {
  double assembly = 0;  ///< gradients, Hessians and projections
  double factor = 0;    ///< factorizations and preconditioners
  double solve = 0;     ///< linear solves
  double search = 0;    ///< line searches
  double blend = 0;     ///< energy evaluations of the stabilized integrator

  SolveTimes& operator+=(const SolveTimes& other) {
    assembly += other.assembly;
    factor += other.factor;
    solve += other.solve;
    search += other.search;
    blend += other.blend;
    return *this;
  }
};

}  // namespace brio
