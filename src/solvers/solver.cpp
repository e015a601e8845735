#include "solvers/solver.h"

#include "solvers/lbfgs.h"
#include "solvers/local_global.h"
#include "solvers/newton.h"
#include "solvers/root.h"

namespace brio {

std::unique_ptr<Solver> make_solver(const SolverOptions& options) {
  if (options.name == "newton") return std::make_unique<Newton>(options);
  if (options.name == "local-global") return std::make_unique<LocalGlobal>(options);
  if (options.name == "lbfgs") return std::make_unique<Lbfgs>(options);
  if (options.name == "root") return std::make_unique<RootFinder>(options);
  throw InputError({.key = "solver.name", .value = options.name, .problem = "not available in this version"});
}

}  // namespace brio
