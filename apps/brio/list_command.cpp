/// brio list: what the registries hold, as a table or as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "brio/contact.h"
#include "commands.h"
#include "core/printable.h"
#include "integrator_list.h"
#include "mesh/generators.h"
#include "model/energies/catalog.h"
#include "model/materials/registry.h"
#include "record/exports/formats.h"
#include "scene/scene.h"

namespace brio::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json list_materials() {
  Json list = Json::array();
  for (const MaterialEntry& m : materials())
    list.push_back({{"name", m.name},
                    {"formula", m.formula},
                    {"keys", m.keys},
                    {"force_degree", m.force_degree},
                    {"barrier", m.barrier},
                    {"reference", m.reference},
                    {"sentence", m.sentence}});
  return list;
}

Json list_energies() {
  Json list = Json::array();
  for (const EnergyInfo& e : energy_catalog())
    list.push_back({{"name", e.name},
                    {"stencil", e.stencil},
                    {"formula", e.formula},
                    {"conservative", e.conservative},
                    {"sentence", e.sentence}});
  return list;
}

Json list_generators() {
  Json list = Json::array();
  for (const Generator& g : generators()) {
    Json fields = Json::array();
    for (const GeneratorField& field : g.fields)
      fields.push_back({{"key", field.info.key},
                        {"type", field.info.type},
                        {"unit", field.info.unit},
                        {"default", to_text(field.standard)},
                        {"help", field.info.help}});
    list.push_back({{"name", g.name}, {"fields", fields}, {"sentence", g.sentence}});
  }
  return list;
}

/// Scenes next to an installed program, else those of the sources it was built from.
fs::path scenes_folder() {
  std::error_code error;
  const fs::path installed = fs::read_symlink("/proc/self/exe", error).parent_path() / "../share/brio/scenes";
  return fs::is_directory(installed, error) ? installed.lexically_normal() : fs::path(BRIO_SCENES_DIR);
}

Json list_scenes() {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(scenes_folder(), error))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::ranges::sort(files);
  Json list = Json::array();
  for (const fs::path& file : files)
    list.push_back({{"name", file.stem().string()}, {"file", file.string()}, {"sentence", scene_title(file)}});
  return list;
}

Json list_penalties() {
  Json list = Json::array();
  for (const PenaltyLaw& law : penalty_laws())
    list.push_back(
        {{"name", law.name}, {"formula", law.formula}, {"reference", law.reference}, {"sentence", law.sentence}});
  return list;
}

Json list_formats() {
  Json list = Json::array();
  for (const ExportFormat& format : export_formats())
    list.push_back({{"name", format.name}, {"file", format.file}, {"sentence", format.sentence}});
  return list;
}

const std::map<std::string, std::function<Json()>>& kinds() {
  static const std::map<std::string, std::function<Json()>> table{
      {"integrators", integrators_json}, {"materials", list_materials}, {"energies", list_energies},
      {"generators", list_generators},   {"formats", list_formats},     {"scenes", list_scenes},
      {"solvers", solvers_json},         {"penalties", list_penalties}};
  return table;
}

void print_table(const Json& list) {
  std::size_t width = 0;
  for (const Json& entry : list) width = std::max(width, entry["name"].get<std::string>().size());
  for (const Json& entry : list)
    fmt::print("{:{}}  {}\n", printable(entry["name"].get<std::string>()), width,
               printable(entry["sentence"].get<std::string>()));
}

}  // namespace

void add_list(CLI::App& program) {
  struct Options {
    std::string kind;
    bool json = false;
    bool markdown = false;
  };
  std::vector<std::string> names;
  for (const auto& [name, list] : kinds()) names.push_back(name);
  const auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand("list", "List what brio knows");
  command->add_option("kind", options->kind, fmt::format("One of {}", fmt::join(names, ", ")))
      ->required()
      ->check(CLI::IsMember(names));
  command->add_flag("--json", options->json, "All that is known of each entry, as JSON");
  command->add_flag("--markdown", options->markdown, "integrators: the page docs/integrators.md")->excludes("--json");
  command->callback([options] {
    const bool methods = options->kind == "integrators";
    if (options->markdown && !methods) throw InputError({.file = "--markdown", .problem = "is for integrators alone"});
    const Json list = kinds().at(options->kind)();
    if (options->json) {
      fmt::print("{}\n", list.dump(2, ' ', true));
    } else if (methods) {
      fmt::print("{}", options->markdown ? integrators_markdown() : integrators_table());
    } else {
      print_table(list);
    }
  });
}

}  // namespace brio::app
