#include "scene/reference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "integrators/options.h"
#include "model/materials/registry.h"
#include "scene/body.h"
#include "scene/collider.h"
#include "scene/damping.h"
#include "scene/scene.h"
#include "scene/self_contact.h"
#include "solvers/options.h"

namespace brio {
namespace {

/// "body[3].pin[0]" as "body[].pin[]".
std::string without_numbers(const std::string& path) {
  std::string result;
  bool inside = false;
  for (const char c : path) {
    if (c == ']') inside = false;
    if (!inside) result += c;
    if (c == '[') inside = true;
  }
  return result;
}

/// As users write it: `body.mass` for `body[] kind "solid".mass`.
std::string plain(const std::string& path) {
  std::string result;
  bool quoted = false;
  for (const char c : path) {
    if (c == '"') quoted = !quoted;
    if (!quoted && c != '"' && c != '[' && c != ']') result += c;
  }
  for (const std::string_view aside : {" kind ", " "})
    for (std::size_t at = 0; (at = result.find(aside)) != std::string::npos;) result.erase(at, aside.size());
  return result;
}

void document_integrators(Reference& reference) {
  reference.structured("integrator.name", "text", "any of `brio list integrators`; the options that it knows follow");
  reference.table("integrator", integrator_fields());
}

void document_materials(Reference& reference) {
  std::vector<std::string> names;
  for (const MaterialEntry& material : materials()) names.push_back(material.name);
  reference.structured("body[].material", "table",
                       fmt::format("of a solid: name and moduli [Pa]. Names: {}", fmt::join(names, ", ")));
  for (const char* modulus : {"mu", "lambda", "young", "poisson"})
    reference.structured(fmt::format("body[].material.{}", modulus), "number",
                         "moduli: mu and lambda [Pa], or young [Pa] and poisson");
  for (const MaterialEntry& material : materials())
    reference.structured(fmt::format("body[].material \"{}\"", material.name),
                         fmt::format("{}", fmt::join(material.keys, ", ")), material.sentence);
}

}  // namespace

namespace {

/// What stands for "not given" is no default: a number that users may not write.
bool is_allowed(const FieldInfo& info, const std::string& standard) {
  if (info.type != "number" && info.type != "whole number") return true;
  return info.bound.contains(std::strtod(standard.c_str(), nullptr));
}

/// "body" of `body[] kind "solid".mass`.
std::string section_of(const SceneKey& key) {
  const std::size_t dot = key.path.find('.');
  return dot == std::string::npos ? "scene" : plain(key.path.substr(0, key.path.find_first_of(".[")));
}

}  // namespace

void Reference::add(const std::string& prefix, const FieldInfo& info, const std::string& standard) {
  std::string bound = info.choices.empty() ? "" : fmt::format("one of {}", fmt::join(info.choices, ", "));
  const bool numeric = info.type.find("number") != std::string::npos || info.type == "vector";
  if (numeric && info.bound.text() != Bound::any().text()) bound = info.bound.text();
  const bool told = !standard.empty() && standard != "\"\"" && standard != "[]" && is_allowed(info, standard);
  keys_.push_back({.path = prefix.empty() ? info.key : prefix + "." + info.key,
                   .type = info.type,
                   .unit = info.unit,
                   .bound = bound,
                   .standard = told ? standard : "",
                   .help = info.help});
}

void Reference::structured(const std::string& path, const std::string& type, const std::string& help) {
  keys_.push_back({.path = path, .type = type, .unit = {}, .bound = {}, .standard = {}, .help = help});
}

const std::vector<SceneKey>& scene_reference() {
  static const std::vector<SceneKey> keys = [] {
    Reference reference;
    document_scene(reference);
    document_integrators(reference);
    reference.table("solver", solver_fields());
    document_body(reference);
    document_materials(reference);
    document_colliders(reference);
    document_self_contact(reference);
    document_damping(reference);
    return reference.keys();
  }();
  return keys;
}

std::vector<SceneKey> explain(const std::string& text) {
  const std::string wanted = plain(without_numbers(text));
  std::vector<SceneKey> exact, below, ending;
  std::vector<std::string> names;
  for (const SceneKey& key : scene_reference()) {
    const std::string path = plain(key.path);
    names.push_back(path);
    if (path == wanted) exact.push_back(key);
    if (path.starts_with(wanted + ".")) below.push_back(key);
    if (path.ends_with("." + wanted)) ending.push_back(key);
  }
  exact.insert(exact.end(), below.begin(), below.end());
  if (!exact.empty()) return exact;
  if (ending.empty()) {
    const std::string near = nearest(wanted, names);
    throw InputError(
        {.key = "key",
         .value = text,
         .problem = "no such key",
         .advice = near.empty() ? "all of them: brio scene reference" : fmt::format("did you mean '{}'?", near)});
  }
  return ending;
}

std::string scene_reference_page() {
  std::string page =
      "# Scene files\n\nMade by `brio scene reference`. A scene is a TOML file; `brio scene check FILE` tells whether "
      "it is understood, `brio scene explain KEY` what a key means, and `--set KEY=VALUE` of `brio run` sets any of "
      "them. Units are SI, y is up. `[]` stands for the items of a list: `[[body]]`, or `pin = [{…}, {…}]`.\n";
  std::vector<std::string> sections;
  for (const SceneKey& key : scene_reference())
    if (const std::string of = section_of(key); std::ranges::count(sections, of) == 0) sections.push_back(of);
  for (const std::string& section : sections) {
    page += fmt::format("\n## {}\n\n| key | type | unit | bound | default | meaning |\n|---|---|---|---|---|---|\n",
                        section);
    for (const SceneKey& key : scene_reference())
      if (section_of(key) == section)
        page += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", key.path, key.type, key.unit, key.bound,
                            key.standard, key.help);
  }
  return page +
         "\n`s1` and `s2` name the literature that a choice reproduces: "
         "[sources](integrators.md#sources).\n";
}

}  // namespace brio
