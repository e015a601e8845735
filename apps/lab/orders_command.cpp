/// brio orders: what integrators declare against what is measured, and how large their steps may be.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "experiments/measure.h"
#include "lab_commands.h"
#include "scene/scene.h"

namespace brio::app {
namespace {

using Json = nlohmann::ordered_json;
using Methods = std::vector<const Method*>;

struct OrdersOptions {
  std::vector<std::string> names;
  std::string scene;
  double tolerance = 0.15;
  bool json = false;
};

Methods chosen(const std::vector<std::string>& names) {
  Methods list;
  for (const std::string& name : names) list.push_back(&find_integrator(name));
  if (list.empty())
    for (const Method& method : integrators())
      if (method.dynamic) list.push_back(&method);
  return list;
}

/// One row per integrator, one column per problem. Throws when a claim does not hold.
void print_orders(const Methods& methods, const OrdersOptions& options) {
  const bool json = options.json;
  Json rows = Json::array();
  std::string misses;
  if (!json) {
    fmt::print("{:<20} {:>8}", "integrator", "declared");
    for (const Problem& problem : order_problems()) fmt::print(" {:>11}", problem.name);
    fmt::print("\n");
  }
  for (const Method* method : methods) {
    if (!json) fmt::print("{:<20} {:>8}", method->name, method->order);
    for (const Problem& problem : order_problems()) {
      const double measured = measured_order(*method, precise(), problem);
      const double excess = measured - method->order;
      rows.push_back({{"integrator", method->name},
                      {"problem", problem.name},
                      {"declared", method->order},
                      {"measured", measured}});
      const bool missed = !(std::abs(excess) <= options.tolerance);
      if (!json) fmt::print(" {:>10.3f}{}", measured, !missed ? ' ' : excess > 0 ? '+' : '!');
      if (missed)
        misses += fmt::format("\n  {} on {}: {:.3f} instead of {}{}", method->name, problem.name, measured,
                              method->order, excess > 0 ? " (converges faster than declared)" : "");
      std::fflush(stdout);
    }
    if (!json) fmt::print("\n");
  }
  if (json) fmt::print("{}\n", rows.dump(2));
  if (!misses.empty()) throw ClaimFailed("orders differ from what is declared:" + misses);
}

std::string step_text(double h) {
  if (std::isinf(h)) return "no limit";
  return h > 0 ? fmt::format("{:.4g}", h) : "none";
}

/// Infinity has no JSON: null stands for "no limit".
Json step_json(double h) { return std::isinf(h) ? Json(nullptr) : Json(h); }

/// From the frequencies of the scene's start, and by runs from it of methods that have a limit.
void print_stable_steps(const Methods& methods, const OrdersOptions& options) {
  Scene scene = load_scene(options.scene);
  const double omega = highest_frequency(scene.simulation.model(), scene.simulation.state().x);
  const StableRun run;
  Json rows = Json::array();
  if (!options.json) {
    fmt::print(
        "highest frequency {:.6g} rad/s; a run explodes when within {} steps its energy grows by more than {} x "
        "the energy in play\n{:<20} {:>12} {:>16} {:>16}\n",
        omega, run.steps, run.growth, "integrator", "h omega", "h linear [s]", "h in a run [s]");
  }
  for (const Method* method : methods) {
    const double limit = stability_limit(*method);
    const double linear = limit == 0 || std::isinf(limit) ? limit : limit / omega;
    Json row{{"integrator", method->name}, {"h_omega", step_json(limit)}, {"h_linear", step_json(linear)}};
    std::string measured = "not run";
    if (!std::isinf(linear)) {
      const double h = max_stable_step(scene.simulation, {.integrator = method->name}, run);
      row["h_run"] = step_json(h);
      measured = step_text(h);
    }
    rows.push_back(row);
    if (!options.json)
      fmt::print("{:<20} {:>12} {:>16} {:>16}\n", method->name, step_text(limit), step_text(linear), measured);
    std::fflush(stdout);
  }
  if (options.json) fmt::print("{}\n", rows.dump(2));
}

}  // namespace

void add_orders(CLI::App& program) {
  const auto options = std::make_shared<OrdersOptions>();
  CLI::App* command =
      program.add_subcommand("orders", "Measure the order of integrators on problems with known answers");
  command->add_option("name", options->names, "Integrators; all when none is named");
  command
      ->add_option("--tolerance", options->tolerance, "By which an order may miss what is declared; else exit code 3")
      ->capture_default_str();
  command->add_option("--stable-step", options->scene,
                      "Instead, the largest stable step for this scene: from its highest frequency, and by runs");
  command->add_flag("--json", options->json, "Print rows as JSON");
  command->callback([options] {
    const Methods methods = chosen(options->names);
    if (options->scene.empty()) {
      print_orders(methods, *options);
    } else {
      print_stable_steps(methods, *options);
    }
  });
}

}  // namespace brio::app
