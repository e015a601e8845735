/// brio scene: is a file understood, and what does a key mean?
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "core/printable.h"
#include "scene/reference.h"
#include "scene/scene.h"
#include "scene_changes.h"

namespace brio::app {
namespace {

void check(const std::string& file, const SceneChanges& changes) {
  std::string start;
  const Scene scene = check_scene(file, changes.overrides(), start);
  const Model& model = scene.simulation.model();
  fmt::print("{}: understood\n", printable(scene.title));
  for (const Body& body : model.bodies())
    fmt::print("  {} {}: {} vertices\n", to_string(body.kind), printable(body.name), body.mesh.vertices.size());
  const LedgerRow& row = scene.simulation.ledger();
  fmt::print("  {}, h = {:g} s, {} frames of {} steps; energy at the start {:g} J\n", scene.simulation.method().name,
             scene.simulation.h(), scene.frames, scene.steps_per_frame, row.total);
  if (!start.empty()) fmt::print("  equilibrium to start from: {}\n", start);
  for (const std::string& warning : scene.warnings) fmt::print("  warning: {}\n", printable(warning));
}

void print_key(const SceneKey& key) {
  fmt::print("{}  {}", key.path, key.type);
  if (!key.unit.empty()) fmt::print(" [{}]", key.unit);
  if (!key.bound.empty()) fmt::print(", {}", key.bound);
  if (!key.standard.empty()) fmt::print("; {} unless given", key.standard);
  fmt::print("\n    {}\n", key.help);
}

}  // namespace

void add_scene(CLI::App& program) {
  CLI::App* command = program.add_subcommand("scene", "Check scene files and explain their keys");
  command->require_subcommand(1);
  const auto text = std::make_shared<std::string>();
  CLI::App* checking =
      command->add_subcommand("check", "Read a scene without running it; say what is wrong, or what it holds");
  checking->add_option("scene", *text, "Scene file (TOML)")->required();
  const auto changes = std::make_shared<SceneChanges>();
  changes->add_to(*checking);
  checking->callback([text, changes] { check(*text, *changes); });
  CLI::App* explaining = command->add_subcommand("explain", "What a key means, its unit, bound and default");
  explaining->add_option("key", *text, "For example body.mass, collider, half_life")->required();
  explaining->callback([text] {
    for (const SceneKey& key : explain(*text)) print_key(key);
  });
  command->add_subcommand("reference", "All keys, as in docs/scene.md")->callback([] {
    fmt::print("{}", scene_reference_page());
  });
}

}  // namespace brio::app
