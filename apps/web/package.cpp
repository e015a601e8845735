#include "package.h"

#include <fmt/format.h>

#include <map>

#include "brio/mesh_io.h"
#include "brio/mesh_models.h"
#include "core/safe_file.h"
#include "record/exports/formats.h"
#include "studio/shared_scene.h"

namespace brio {
namespace {

namespace fs = std::filesystem;

/// In memory, where there is nothing else.
const fs::path home = "/scene";

struct Shelf {
  std::map<fs::path, Mesh> files;
  std::map<std::pair<std::string, int>, Mesh> models;
  std::vector<std::string> formats;
};

Shelf& shelf() {
  static Shelf instance;
  return instance;
}

}  // namespace

Mesh read_mesh(const fs::path& file) {
  const auto found = shelf().files.find(file.lexically_normal());
  if (found == shelf().files.end()) throw InputError({.file = file.string(), .problem = "is not in this page"});
  return found->second;
}

Mesh load_model(const std::string& name, const ModelOptions& options) {
  const auto found = shelf().models.find({name, options.vertices});
  if (found != shelf().models.end()) return found->second;
  std::string known;
  for (const auto& [model, mesh] : shelf().models)
    known += fmt::format("{}{}{}", known.empty() ? "" : ", ", model.first,
                         model.second == 0 ? "" : fmt::format(" with {} vertices", model.second));
  throw InputError({.key = "model",
                    .value = name,
                    .problem = "is not in this page",
                    .advice = known.empty()
                                  ? "a mesh can be generated, or open the scene with `./brio studio`"
                                  : "there is " + known + "; for others open the scene with `./brio studio`"});
}

std::vector<std::string> model_names() { return {}; }  // any: load_model knows

std::vector<std::string> export_names() { return shelf().formats; }

const std::vector<std::string>& default_export_formats() {
  static const std::vector<std::string> none;
  return none;
}

web::Package web::unpack(const std::string& text) {
  const studio::SharedScene shared = studio::read_shared(text);
  for (const auto& [name, mesh] : shared.files) {
    const fs::path place = (home / name).lexically_normal();
    fs::create_directories(place.parent_path());
    write_safely(place, "in this page");  // scenes ask whether their files exist
    shelf().files[place] = mesh;
  }
  for (const auto& [model, mesh] : shared.models) shelf().models[model] = mesh;
  shelf().formats = shared.formats;
  return {.scene = {.text = shared.text, .name = shared.name, .folder = home}, .integrators = shared.integrators};
}

}  // namespace brio
