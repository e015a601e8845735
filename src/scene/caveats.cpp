#include "scene/caveats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "brio/energy.h"
#include "brio/interaction.h"
#include "contact/collider_energy.h"
#include "integrators/quadrature.h"
#include "integrators/stable_step.h"
#include "mesh/reorder.h"

namespace brio {
namespace {

/// Of the polynomials up to which the rule is exact.
int degree_of(const Quadrature& rule) {
  constexpr double tolerance = 1e-12;
  constexpr int max_degree = 20;
  for (int degree = 0; degree <= max_degree; ++degree) {
    double mean = 0;
    for (std::size_t i = 0; i < rule.nodes.size(); ++i) mean += rule.weights[i] * std::pow(rule.nodes[i], degree);
    if (std::abs(mean - 1.0 / (degree + 1)) > tolerance) return degree - 1;
  }
  return max_degree;
}

/// The work of a step is exact with a rule of the degree of the forces; else the rule's own error, of h to its degree
/// plus two in each step and one power less per second, is what energy errs by.
std::string cost_of_averages(const Model& model, const IntegratorOptions& options) {
  const Quadrature given = quadrature(options);
  const bool chosen = !given.nodes.empty();
  const Averaging averages = chosen ? Averaging::closed : Averaging::adaptive;
  const Quadrature rule = chosen ? given : exact_quadrature(model, averages);
  const std::string name = chosen ? fmt::format("\"{}\"", to_string(options.quadrature))
                                  : fmt::format("\"gauss3\", the choice of \"{}\",", to_string(options.quadrature));
  const int degree = degree_of(rule);
  for (const Body& body : model.bodies())
    for (const EnergyId id : body.energies) {
      const Energy& energy = model.energy(id);
      const int needed = energy.force_degree();
      if (energy.takes_mean(averages)) continue;
      if (needed != 0 && needed <= degree) continue;
      const auto evaluations = [](const Quadrature& q) {
        return std::ranges::count_if(q.nodes, [](double node) { return node > 0; });
      };
      const bool adapts = energy.takes_mean(Averaging::adaptive);
      if (adapts && needed == 0)
        return fmt::format(
            "integrator.quadrature {} averages forces up to degree {} exactly, those of {} '{}' ({}) are no "
            "polynomials "
            "of x: energy errs by some h^{} instead of being kept to the solver's tolerance. \"adaptive\" keeps it, "
            "with "
            "three evaluations per iteration, and more where motion is violent",
            name, degree, to_string(body.kind), body.name, energy.name(), degree + 1);
      const Quadrature better = needed != 0 ? gauss((needed + 2) / 2) : gauss(5);
      const std::string forces =
          needed != 0 ? fmt::format("are of degree {} in x", needed) : std::string("are no polynomials of x");
      const std::string gain =
          needed != 0 ? std::string("keeps it exactly") : fmt::format("errs by h^{}", degree_of(better) + 1);
      return fmt::format(
          "integrator.quadrature {} averages forces up to degree {} exactly, those of {} '{}' ({}) {}: energy errs by "
          "some h^{} instead of being kept to the solver's tolerance. \"gauss{}\" {}, with {} evaluations per "
          "iteration instead of {}",
          name, degree, to_string(body.kind), body.name, energy.name(), forces, degree + 1, better.nodes.size(), gain,
          evaluations(better), evaluations(rule));
    }
  return {};
}

std::string cost_of_few_iterations(const IntegratorOptions& options) {
  if (options.solver.name != "local-global") return {};
  return "avf keeps energy as far as its solver converges, which solver.name = \"local-global\" seldom does in its few "
         "iterations: energy strays by 1e-4 to 1e-2; \"newton\" keeps it to the solver's tolerance";
}

/// Of planes the force along a step is known in closed form (ColliderContact), of bodies among each other a discrete
/// gradient (pair_path.h), unless a rule is given.
std::string cost_of_contact(const Model& model, const IntegratorOptions& options) {
  const Averaging averages = quadrature(options).nodes.empty() ? Averaging::adaptive : Averaging::closed;
  for (const auto& energy : model.energies()) {
    const auto* collider = dynamic_cast<const ColliderEnergy*>(energy.get());
    if (energy->role() != Role::contact || (collider != nullptr && collider->has_plane())) continue;
    if (collider == nullptr && energy->takes_mean(averages)) continue;
    return fmt::format(
        "avf averages forces of contact ({}) at a few points of each step, which do not see where in it contact begins "
        "or ends: energy strays by percents there instead of being kept to the solver's tolerance; {}",
        collider != nullptr ? "with a collider that is no plane" : energy->name(),
        collider != nullptr ? "shorten h, or use stabilized, which bounds that"
                            : "integrator.quadrature = \"adaptive\" keeps it");
  }
  return {};
}

std::string cost_of_collider_springs(const Model& model) {
  for (const auto& energy : model.energies()) {
    const auto* collider = dynamic_cast<const ColliderEnergy*>(energy.get());
    if (collider == nullptr) continue;
    if (collider->law().rule == ColliderLaw::held_spring)
      return "collider.law \"held-spring\" keeps no energy: it resists a vertex only from the step after that in which "
             "it enters; \"potential\" does keep it, \"spring\" with planes";
    if (collider->law().rule == ColliderLaw::spring && !collider->has_plane())
      return "collider.law \"spring\" keeps no energy with a collider that is no plane: each step it presses on the "
             "plane that was nearest where the step began, which is another one in the next; \"potential\" does keep "
             "it";
  }
  return {};
}

/// Of small motions around the start: stretched and pressed together, bodies are often stiffer.
std::string cost_of_long_steps(const Model& model, const SimulationOptions& options, const NodalField& x) {
  const Method& method = find_integrator(options.integrator);
  constexpr std::size_t many = 100'000;  // vertices: looking would take longer than reading the scene
  if (method.family != "explicit" || model.vertices() > many) return {};
  const auto iterations = static_cast<int>(std::clamp<std::size_t>(1'000'000 / model.vertices(), 20, 500));
  const double longest = surely_unstable_step(method, options.options, model, x, iterations);
  if (!(options.h > longest)) return {};
  return fmt::format(
      "h = {:g} s is more than {} bears here, {:.2g} s: it will explode; shorten time.h, raise time.substeps, or "
      "choose "
      "an implicit integrator, such as stabilized",
      options.h, method.name, longest);
}

std::string cost_of_restitution(const Model& model, const std::string& integrator) {
  const bool bounded =
      std::ranges::any_of(model.interactions(), [](const auto& i) { return i->name() == "restitution"; });
  if (!bounded || find_integrator(integrator).bounds_restitution) return {};
  return fmt::format(
      "contact.restitution is no bound with {}: what touches may part faster; choose avf, stabilized or "
      "backward-euler",
      integrator);
}

}  // namespace

std::vector<std::string> caveats(const Model& model, const State& state, const SimulationOptions& options) {
  std::vector<std::string> list{cost_of_long_steps(model, options, state.x)};
  if (options.integrator == "avf") {
    list.push_back(cost_of_averages(model, options.options));
    list.push_back(cost_of_few_iterations(options.options));
    list.push_back(cost_of_contact(model, options.options));
  }
  list.push_back(cost_of_collider_springs(model));
  list.push_back(cost_of_restitution(model, options.integrator));
  for (const Body& body : model.bodies()) list.push_back(numbering_warning(body.name, body.mesh));
  std::erase(list, "");
  return list;
}

}  // namespace brio
