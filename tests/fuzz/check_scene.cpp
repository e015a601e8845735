#include <algorithm>
#include <cmath>

#include "brio/mesh_models.h"
#include "check.h"
#include "scene/scene.h"
#include "scene/value.h"

namespace brio {

/// Models are fetched from afar: not here.
Mesh load_model(const std::string& name, const ModelOptions&) {
  throw InputError({.key = "model", .value = name, .problem = "is not at hand"});
}
std::vector<std::string> model_names() { return {"bunny", "dragon"}; }

namespace {

constexpr double few = 2;

void make_few(Value& value) {
  if (auto* whole = std::get_if<std::int64_t>(&value)) *whole = std::min<std::int64_t>(*whole, few);
  if (auto* number = std::get_if<double>(&value); number != nullptr && *number > few) *number = few;
  if (auto* list = std::get_if<std::vector<double>>(&value))
    for (double& number : *list)
      if (number > few) number = few;
}

/// What is large only takes time, and what lies in other files is for other readers.
void make_small(Node& node, bool in_mesh = false) {
  constexpr std::size_t max_items = 4;
  if (node.key == "body" || node.key == "collider")
    if (node.children.size() > max_items) node.children.resize(max_items);
  if (in_mesh) std::erase_if(node.children, [](const Node& child) { return child.key == "file"; });
  if (in_mesh) make_few(node.value);
  if (auto* list = std::get_if<std::vector<double>>(&node.value); list != nullptr && node.key == "copies")
    for (std::size_t i = 0; i < list->size(); ++i) (*list)[i] = std::min((*list)[i], i == 0 ? few : 1);
  for (Node& child : node.children) make_small(child, in_mesh || child.key == "mesh");
}

Scene build(const std::string& text, const std::string& override_text) {
  Node root = parse_toml(text, "x.toml");
  if (const std::size_t equals = override_text.find('='); equals != std::string::npos)
    assign(root, override_text.substr(0, equals), override_text.substr(equals + 1), "--set");
  make_small(root);
  return build_scene(std::move(root), "x.toml");
}

}  // namespace

void check_scene(std::string_view bytes) {
  const std::size_t zero = bytes.find('\0');
  const bool overrides = zero != std::string_view::npos;
  try {
    const Scene scene = build(std::string(overrides ? bytes.substr(zero + 1) : bytes),
                              std::string(overrides ? bytes.substr(0, zero) : ""));
    require(scene.simulation.ledger().finite());
    require(scene.frames >= 0 && scene.steps_per_frame >= 1 && scene.simulation.h() > 0);
    require(build(scene.resolved, "").digest == scene.digest);
  } catch (const InputError& error) {
    require(!error.complaint().problem.empty());
    require(!error.complaint().file.empty() || !error.complaint().key.empty());
  }
}

}  // namespace brio
