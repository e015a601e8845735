#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "brio/mesh_models.h"
#include "commands.h"
#include "core/printable.h"
#include "mesh/generators.h"
#include "mesh/io/formats.h"
#include "mesh/reorder.h"
#include "mesh_report.h"
#include "place.h"
#include "program/say.h"

namespace brio::app {
namespace {

struct MeshCommand {
  std::vector<std::string> files;
  std::string generator;
  std::vector<std::string> settings;
  std::string model;
  int model_vertices = 0;
  bool surface_only = false;
  bool fill = false;
  TetrahedralizeOptions filling{.quality = 2};
  bool split_surface = false;
  double scale = 1;
  double weld_tolerance = -1;  ///< [m]; negative = do not weld
  bool orient_cells = false;
  bool reorder = false;
  bool force = false;
  bool json = false;
};

[[noreturn]] void refuse(const std::string& key, const std::string& value, const std::string& problem,
                         const std::string& advice = {}) {
  throw InputError({.key = key, .value = value, .problem = problem, .advice = advice});
}

/// "cells=[4,1,1]" as a key and what a scene file would hold for it; what is no number, list or truth value is a text.
Entry entry_of(const std::string& setting) {
  const auto equals = setting.find('=');
  if (equals == std::string::npos || equals == 0)
    refuse("--set", setting, "must look like key=value", "for example --set cells=[16,4,4]");
  Entry entry{.key = setting.substr(0, equals), .value = setting.substr(equals + 1)};
  const auto value = nlohmann::json::parse(setting.substr(equals + 1), nullptr, false);
  if (value.is_boolean()) entry.value = value.get<bool>();
  if (value.is_number_float()) entry.value = value.get<double>();
  if (value.is_number_integer()) entry.value = value.get<std::int64_t>();
  if (value.is_string()) entry.value = value.get<std::string>();
  if (value.is_array() && std::all_of(value.begin(), value.end(), [](const auto& v) { return v.is_number(); }))
    entry.value = value.get<std::vector<double>>();
  return entry;
}

/// The mesh that the command starts from; its file, if it has one, is taken off `files`.
Mesh source(MeshCommand& command) {
  if (!command.generator.empty()) {
    std::vector<Entry> entries;
    for (const std::string& setting : command.settings) entries.push_back(entry_of(setting));
    return generate_mesh(command.generator, entries);
  }
  if (!command.settings.empty()) refuse("--set", command.settings.front(), "belongs to --generate");
  if (!command.model.empty()) return load_model(command.model, {.vertices = command.model_vertices});
  if (command.files.empty())
    refuse("brio mesh", "", "there is nothing to read", "give a file, --generate NAME or --model NAME; see --help");
  Mesh mesh = read_mesh(command.files.front());
  command.files.erase(command.files.begin());
  return mesh;
}

/// While the surface is kept, its large triangles are the faces of large tets.
void warn_of_large_tets(const Mesh& mesh, const TetrahedralizeOptions& options) {
  if (options.max_volume == 0) return;
  long too_large = 0;
  double largest = 0;
  for (const Tet& tet : mesh.tets) {
    const Vec3& origin = mesh.vertices[tet[0]];
    const Vec3 a = mesh.vertices[tet[1]] - origin, b = mesh.vertices[tet[2]] - origin,
               c = mesh.vertices[tet[3]] - origin;
    const double volume = std::abs(a.cross(b).dot(c)) / 6;
    largest = std::max(largest, volume);
    too_large += volume > (1 + 1e-9) * options.max_volume ? 1 : 0;
  }
  if (too_large > 0)
    say("brio: {} of {} tets are larger than --max-volume {:g}, up to {:.2g} m^3{}\n", too_large, mesh.tets.size(),
        options.max_volume, largest,
        options.keep_surface ? ": the triangles of the surface are kept; --split-surface divides them too" : "");
}

Mesh changed(Mesh mesh, const MeshCommand& command) {
  if (!(command.scale > 0) || !std::isfinite(command.scale))
    refuse("--scale", fmt::format("{}", command.scale), "must be > 0");
  for (Vec3& p : mesh.vertices) p *= command.scale;
  if (command.weld_tolerance >= 0) mesh = weld(mesh, command.weld_tolerance);
  if (command.orient_cells) orient(mesh);
  if (command.fill) {
    TetrahedralizeOptions options = command.filling;
    options.keep_surface = !command.split_surface;
    mesh = tetrahedralize(mesh, options);
    warn_of_large_tets(mesh, options);
  }
  if (command.surface_only) {
    if (!mesh.tets.empty()) mesh.triangles = surface(mesh);
    if (mesh.triangles.empty()) refuse("--surface", "", "the mesh has neither tets nor triangles");
    mesh = remove_unreferenced({mesh.vertices, {}, mesh.triangles, {}});
  }
  return command.reorder ? reordered(mesh) : mesh;
}

void run(MeshCommand command) {
  const std::size_t results = command.files.size() - (command.generator.empty() && command.model.empty() ? 1 : 0);
  if (!command.files.empty() && results == 1)
    for (const std::filesystem::path& file : mesh_files(command.files.back())) check_place(file, command.force);
  const Mesh mesh = changed(source(command), command);
  if (command.files.size() > 1) refuse("OUT", command.files[1], "one file too many");
  const bool writes = !command.files.empty();
  if (writes) write_mesh(command.files.front(), mesh);
  const MeshReport report = check_mesh(mesh);
  const Slivers slivers = find_slivers(mesh);
  if (command.json) {
    fmt::print("{}\n", report_json(report, slivers).dump());
  } else if (writes) {
    fmt::print("{}: {}\n", printable(command.files.front()), counts_text(report));
    for (const std::string& problem : problems_of(report, slivers)) fmt::print("  {}\n", problem);
  } else {
    fmt::print("{}", report_text(report, slivers));
  }
}

/// Everything that has a name, from the registries.
std::string names_text() {
  std::string text = "Generators and what --set accepts:\n";
  for (const Generator& generator : generators()) {
    text += fmt::format("  {:<14} {}\n", generator.name, generator.sentence);
    for (const auto& [info, standard] : generator.fields) {
      const std::string unit = info.unit.empty() ? "" : fmt::format(" [{}]", info.unit);
      const std::string choices = info.choices.empty() ? "" : fmt::format(": {}", fmt::join(info.choices, ", "));
      text += fmt::format("    {:<27} {}{}{}\n", info.key + "=" + to_text(standard), info.help, unit, choices);
    }
  }
  text += fmt::format("Models: {}\nFiles: ", fmt::join(model_names(), ", "));
  for (const MeshFormat& format : mesh_formats()) text += format.extension + " ";
  text +=
      "\n\nExamples:\n"
      "  brio mesh bunny.ply                                  say what is in it and what is wrong with it\n"
      "  brio mesh solid.msh skin.obj --surface               the surface of a solid\n"
      "  brio mesh skin.stl solid.vtu --weld 1e-6 --tetrahedralize --quality 1.4\n"
      "  brio mesh --generate bar --set size=[4,1,1] --set cells=[16,4,4] bar.msh\n"
      "  brio mesh --model dragon --vertices 2000 dragon.vtu\n";
  return text;
}

}  // namespace

void add_mesh(CLI::App& program) {
  CLI::App* app = program.add_subcommand("mesh", "Convert, generate or inspect a mesh");
  const auto command = std::make_shared<MeshCommand>();
  app->add_option("files", command->files,
                  "IN and OUT; without OUT the mesh is inspected, with --generate or --model "
                  "only OUT")
      ->expected(0, 2)
      ->type_name("FILE");
  CLI::Option* generate = app->add_option("--generate", command->generator, "make a shape instead of reading IN");
  app->add_option("--set", command->settings, "an option of the generator, key=value")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  CLI::Option* model = app->add_option("--model", command->model, "a model by name instead of reading IN");
  app->add_option("--vertices", command->model_vertices, "about how many vertices the model should have")->needs(model);
  generate->excludes(model);
  app->add_option("--scale", command->scale, "multiply coordinates");
  app->add_option("--weld", command->weld_tolerance, "merge vertices within this distance [m]")
      ->check(CLI::NonNegativeNumber);
  app->add_flag("--orient", command->orient_cells, "turn inverted tets and disagreeing triangles");
  CLI::Option* fill =
      app->add_flag("--tetrahedralize,--tetrahedralise", command->fill, "fill the closed surface with tets");
  app->add_option("--quality", command->filling.quality, "largest circumradius / shortest edge of a tet; 0: any")
      ->capture_default_str()
      ->needs(fill);
  app->add_option("--max-volume", command->filling.max_volume, "largest volume of a tet [m^3]")
      ->check(CLI::PositiveNumber)
      ->needs(fill);
  app->add_flag("--split-surface", command->split_surface, "let triangles of the surface be divided too")->needs(fill);
  app->add_flag("--surface", command->surface_only, "keep the surface only");
  app->add_flag("--reorder", command->reorder, "number neighboring vertices near each other, for faster steps");
  app->add_flag("--force", command->force, "replace OUT if it is there already");
  app->add_flag("--json", command->json, "print the report for programs");
  app->footer(names_text);
  app->callback([command] { run(*command); });
}

}  // namespace brio::app
