#include "scene/mesh.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "brio/mesh_io.h"
#include "brio/mesh_models.h"
#include "mesh/generators.h"

namespace brio {
namespace {

struct Source {
  std::string generate, file, model;
  int vertices = 0;
};

std::vector<std::string> generator_names() {
  std::vector<std::string> names;
  for (const Generator& generator : generators()) names.push_back(generator.name);
  return names;
}

const FieldTable<Source>& source_fields() {
  static const auto table =
      FieldTable<Source>{}
          .text("generate", &Source::generate, generator_names(), "a generator; its options follow")
          .text("file", &Source::file, {}, "a mesh file, relative to the scene file")
          .text("model", &Source::model, model_names(), "a model that is fetched by name")
          .whole("vertices", &Source::vertices, Bound::closed(0, 1e6), "about so many vertices of the model; 0: usual");
  return table;
}

/// A sheet's grid decides where its springs go.
std::array<int, 2> sheet_cells(const Node& node) {
  const Node* cells = node.find("cells");
  if (cells == nullptr) return SheetOptions{}.cells;
  const auto& list = std::get<std::vector<double>>(cells->value);
  return {static_cast<int>(list[0]), static_cast<int>(list[1])};
}

}  // namespace

SceneMesh read_scene_mesh(const Node& node) {
  if (node.mesh != nullptr) {
    SceneMesh shape = *node.mesh;
    if (shape.mesh.vertices.empty()) refuse(node, "holds no vertices");
    if (!shape.mesh.tets.empty()) at_place_of(node, [&] { orient(shape.mesh); });
    return shape;
  }
  require(node, Node::Kind::table, "a table with generate, file or model");
  const std::vector<std::string> ways{"generate", "file", "model"};
  if (std::ranges::count_if(ways, [&](const auto& way) { return node.find(way) != nullptr; }) != 1)
    refuse(node, fmt::format("needs one of {}", fmt::join(ways, ", ")));

  if (const Node* generate = node.find("generate")) {
    const std::string name = source_fields().read({generate->entry()}, node.path).generate;
    const auto entries = node.entries({"generate"});
    Mesh mesh = at_place_of(node, [&] { return generate_mesh(name, entries, node.path); });
    return {std::move(mesh), name == "sheet" ? sheet_cells(node) : std::array<int, 2>{0, 0}};
  }
  const Source source = source_fields().read(node.entries(), node.path);
  if (const Node* file = node.find("file")) {
    if (node.children.size() > 1) refuse(node, "a file takes no options");
    if (!std::filesystem::is_regular_file(source.file)) refuse(*file, "no such file");
    Mesh mesh = read_mesh(source.file);
    if (mesh.vertices.empty()) refuse(*file, "holds no vertices");
    if (!mesh.tets.empty()) at_place_of(*file, [&] { orient(mesh); });
    return {std::move(mesh)};
  }
  return {at_place_of(node, [&] { return load_model(source.model, {.vertices = source.vertices}); })};
}

void document_mesh(Reference& reference, const std::string& prefix) {
  reference.table(prefix, source_fields());
  for (const Generator& generator : generators()) {
    reference.structured(fmt::format("{} \"{}\"", prefix, generator.name), "generate", generator.sentence);
    for (const GeneratorField& field : generator.fields)
      reference.add(fmt::format("{} \"{}\"", prefix, generator.name), field.info, to_text(field.standard));
  }
}

}  // namespace brio
