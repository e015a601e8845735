#include "studio/shared_scene.h"

namespace brio::studio {
namespace {

Json to_json(const Mesh& mesh) {
  Json vertices = Json::array();
  for (const Vec3& v : mesh.vertices) vertices.push_back({v[0], v[1], v[2]});
  return {{"vertices", std::move(vertices)},
          {"tets", mesh.tets},
          {"triangles", mesh.triangles},
          {"segments", mesh.segments}};
}

Mesh mesh_from(const Json& json) {
  Mesh mesh;
  for (const auto& v : json.at("vertices").get<std::vector<std::array<double, 3>>>())
    mesh.vertices.emplace_back(v[0], v[1], v[2]);
  json.at("tets").get_to(mesh.tets);
  json.at("triangles").get_to(mesh.triangles);
  json.at("segments").get_to(mesh.segments);
  return mesh;
}

}  // namespace

std::string write_shared(const SharedScene& scene) {
  Json files = Json::array(), models = Json::array();
  for (const auto& [name, mesh] : scene.files) files.push_back({{"file", name}, {"mesh", to_json(mesh)}});
  for (const auto& [model, mesh] : scene.models)
    models.push_back({{"model", model.first}, {"vertices", model.second}, {"mesh", to_json(mesh)}});
  return Json{{"text", scene.text},        {"name", scene.name},          {"integrators", scene.integrators},
              {"files", std::move(files)}, {"models", std::move(models)}, {"formats", scene.formats}}
      .dump(-1, ' ', true, Json::error_handler_t::replace);
}

SharedScene read_shared(const std::string& text) try {
  const Json json = Json::parse(text);
  SharedScene scene;
  json.at("text").get_to(scene.text);
  json.at("name").get_to(scene.name);
  json.at("integrators").get_to(scene.integrators);
  json.at("formats").get_to(scene.formats);
  for (const Json& item : json.at("files"))
    scene.files[item.at("file").get<std::string>()] = mesh_from(item.at("mesh"));
  for (const Json& item : json.at("models"))
    scene.models[{item.at("model").get<std::string>(), item.at("vertices").get<int>()}] = mesh_from(item.at("mesh"));
  return scene;
} catch (const Json::exception& error) {
  throw InputError({.key = "scene", .problem = std::string("cannot be read: ") + error.what()});
}

}  // namespace brio::studio
