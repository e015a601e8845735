/// Solvers of implicit steps: what can be chosen.
#pragma once

#include <string>

#include "brio/model.h"

namespace brio {

/// How a step's equations are solved. Members that a solver does not know are ignored.
struct SolverOptions {
  std::string name = "newton";        ///< "newton", "local-global", "lbfgs" or "root"
  double tolerance = 1e-10;           ///< stop when |unbalanced force| <= tolerance * |forces in play|
  int iterations = 100;               ///< most of them; local-global does this many unless it converges before
  std::string definite = "project";   ///< newton: "project" or "tikhonov"
  std::string linear = "auto";        ///< newton: "auto", "direct" or "pcg"
  std::string acceleration = "none";  ///< local-global: "none", "chebyshev" or "anderson"
  double rho = 0.99;                  ///< chebyshev: estimated spectral radius, in [0, 1)
  int window = 5;                     ///< anderson, lbfgs: earlier iterates kept
  std::string unconverged = "stop";   ///< when it does not converge: "stop", "accept" or "substep"
};

}  // namespace brio
