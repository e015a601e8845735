/// Every integrator by name. Adding one = its file, its declaration and its line here; tests and docs follow by loop.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "brio/integrators.h"
#include "integrators/options.h"
#include "integrators/stage_work.h"
#include "solvers/options.h"

namespace brio {

Method explicit_euler();
Method symplectic_euler();
Method midpoint();
Method half_step();
Method modified_half_step();
Method symplectic_midpoint();
Method verlet();
Method leapfrog();
Method stormer_verlet();
Method forest_ruth();
Method pefrl();
Method rk4();
Method backward_euler();
Method implicit_midpoint();
Method newmark();
Method bdf2();
Method bathe();
Method avf();
Method stabilized();
Method variational();
Method discrete_gradient();
Method energy_budget();
Method lagrange_energy();
Method quasi_static();

namespace {

/// A deque, since simulations keep references to their methods.
std::deque<Method>& registry() {
  static std::deque<Method> methods{
      explicit_euler(),
      symplectic_euler(),
      midpoint(),
      half_step(),
      modified_half_step(),
      symplectic_midpoint(),
      verlet(),
      leapfrog(),
      stormer_verlet(),
      forest_ruth(),
      pefrl(),
      rk4(),
      backward_euler(),
      implicit_midpoint(),
      newmark(),
      bdf2(),
      bathe(),
      avf(),
      stabilized(),
      variational(),
      discrete_gradient(),
      energy_budget(),
      lagrange_energy(),
      quasi_static(),
  };
  return methods;
}

}  // namespace

const std::deque<Method>& integrators() { return registry(); }

void register_integrator(Method method) {
  std::vector<std::string> names = method.aliases;
  names.push_back(method.name);
  for (const Method& known : integrators())
    for (const std::string& name : names)
      if (known.name == name || std::ranges::count(known.aliases, name) > 0)
        throw InputError({.key = "integrator.name", .value = name, .problem = "is taken"});
  if (method.make == nullptr)
    throw InputError({.key = "integrator.make", .value = method.name, .problem = "is missing"});
  registry().push_back(std::move(method));
}

const Method& find_integrator(const std::string& name) {
  std::vector<std::string> names;
  for (const Method& method : integrators()) {
    if (method.name == name || std::ranges::count(method.aliases, name) > 0) return method;
    names.push_back(method.name);
    names.insert(names.end(), method.aliases.begin(), method.aliases.end());
  }
  refuse_name("integrator.name", name, "not available in this version", names);
}

namespace {

/// An option that was set, but not for this entry of a registry, is a mistake that would go unnoticed.
template <class Entry, class Options, class Knows>
void check_known(const char* path, const std::deque<Entry>& registry, const Entry& chosen,
                 const FieldTable<Options>& table, const Options& options, Knows knows) {
  static const Options untouched;
  for (const auto& field : table.fields()) {
    const std::string& key = field.info.key;
    if (knows(chosen, key) || field.get(options) == field.get(untouched)) continue;
    std::vector<std::string> others;
    for (const Entry& other : registry)
      if (knows(other, key)) others.push_back(other.name);
    throw InputError({.key = fmt::format("{}.{}", path, key),
                      .value = to_text(field.get(options)),
                      .problem = fmt::format("is no option of {}", chosen.name),
                      .advice = fmt::format("it is one of {}", fmt::join(others, ", "))});
  }
}

void check_known(const Method& method, const IntegratorOptions& options) {
  check_known("integrator", integrators(), method, integrator_fields(), options,
              [](const Method& one, const std::string& key) { return std::ranges::count(one.options, key) > 0; });
  // Refuses unknown solvers, also where the method solves nothing.
  check_known("solver", solvers(), find_solver(options.solver.name), solver_fields(), options.solver,
              [](const SolverMethod& one, const std::string& key) { return one.knows(key); });
}

}  // namespace

void check_damping(const Method& method, const Model& model) {
  const Damping& damping = model.damping();
  if (method.rayleigh_s0 || (damping.s0_mass == 0 && damping.s0_stiffness == 0)) return;
  std::vector<std::string> others;
  for (const Method& other : integrators())
    if (other.rayleigh_s0) others.push_back(other.name);
  throw InputError(
      {.key = "damping.name",
       .value = "rayleigh-s0",
       .problem = fmt::format("is not known to {}", method.name),
       .advice = fmt::format("use \"rayleigh\", which all methods know, or one of {}", fmt::join(others, ", "))});
}

std::unique_ptr<Integrator> make_integrator(const Method& method, const IntegratorOptions& options,
                                            const Model& model) {
  integrator_fields().check(options, "integrator");
  solver_fields().check(options.solver, "solver");
  check_known(method, options);
  if (!model.constraints().empty() && !method.constraints)
    throw InputError({.key = "integrator.name",
                      .value = method.name,
                      .problem = "does not keep constraints, which this model has",
                      .advice = "use variational"});
  check_damping(method, model);
  auto integrator = method.make(options);
  check_accounts(*integrator, method.name, model);
  integrator->check(model);
  return integrator;
}

const char* to_string(EnergyBehavior behavior) {
  switch (behavior) {
    case EnergyBehavior::grows:
      return "grows";
    case EnergyBehavior::oscillates:
      return "oscillates without drift";
    case EnergyBehavior::drifts:
      return "drifts slowly";
    case EnergyBehavior::decays:
      return "decays";
    case EnergyBehavior::kept:
      return "kept to the solver's tolerance";
    case EnergyBehavior::tracked:
      return "kept within a stated tolerance";
  }
  return "";
}

}  // namespace brio
