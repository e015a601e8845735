/// Every solver by name. Adding one = its file and its entry here; scene keys, lists, docs and tests follow by loop.

#include <algorithm>

#include "core/fields.h"
#include "solvers/lbfgs.h"
#include "solvers/local_global.h"
#include "solvers/newton.h"
#include "solvers/root.h"

namespace brio {
namespace {

template <class S>
std::unique_ptr<Solver> make(const SolverOptions& options) {
  return std::make_unique<S>(options);
}

/// A deque, so that references to entries last.
std::deque<SolverMethod>& registry_of_solvers() {
  static std::deque<SolverMethod> methods{
      {.name = "newton",
       .sentence = "few costly iterations, to any accuracy",
       .reference = "Nocedal & Wright 2006, section 3.4; Teran et al. 2005",
       .options = {"definite", "linear"},
       .make = make<Newton>},
      {.name = "local-global",
       .sentence = "many cheap iterations with one factor, for springs and corotated solids in real time",
       .reference = "Bouaziz et al. 2014; Liu, Bouaziz & Kavan 2017",
       .options = {"acceleration", "rho", "window"},
       .ends_early = true,
       .make = make<LocalGlobal>},
      {.name = "lbfgs",
       .sentence = "cheap iterations with the factor of local-global, for any material",
       .reference = "Liu, Bouaziz & Kavan 2017, section 5; Nocedal 1980",
       .options = {"window"},
       .make = make<Lbfgs>},
      {.name = "root",
       .sentence = "for comparison: Newton on the equations instead of the minimum, which may end at a saddle",
       .reference = "Nocedal & Wright 2006, section 11.2; Kharevych et al. 2006, section 5.4",
       .options = {"linear"},
       .make = make<RootFinder>},
  };
  return methods;
}

}  // namespace

const std::vector<std::string>& SolverMethod::common_options() {
  static const std::vector<std::string> common{"name", "tolerance", "iterations", "guess", "unconverged"};
  return common;
}

bool SolverMethod::knows(const std::string& option) const {
  return std::ranges::count(common_options(), option) > 0 || std::ranges::count(options, option) > 0;
}

const std::deque<SolverMethod>& solvers() { return registry_of_solvers(); }

void register_solver(SolverMethod method) {
  for (const SolverMethod& known : solvers())
    if (known.name == method.name)
      throw InputError({.key = "solver.name", .value = method.name, .problem = "is taken"});
  if (method.name.empty()) throw InputError({.key = "solver.name", .problem = "is missing"});
  if (method.make == nullptr) throw InputError({.key = "solver.make", .value = method.name, .problem = "is missing"});
  registry_of_solvers().push_back(std::move(method));
}

const SolverMethod& find_solver(const std::string& name) {
  std::vector<std::string> names;
  for (const SolverMethod& method : solvers()) {
    if (method.name == name) return method;
    names.push_back(method.name);
  }
  refuse_name("solver.name", name, "not available in this version", names);
}

std::unique_ptr<Solver> make_solver(const SolverOptions& options) { return find_solver(options.name).make(options); }

}  // namespace brio
