#include "mesh/models/fill.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "brio/mesh_models.h"
#include "mesh/models/decimate.h"

namespace brio {
namespace {

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
      Mesh solid = tetrahedralize(decimate(start, target), {.quality = 1.4});
      // In proportion: good shapes take vertices inside, the more the more there are on the surface.
      target =
          std::clamp(static_cast<int>(double(target) * wanted / double(solid.vertices.size())), wanted / 4, wanted);
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
      Mesh solid = tetrahedralize(surface, {.quality = quality, .max_volume = max_volume, .keep_surface = false});
      max_volume *= std::clamp(double(solid.vertices.size()) / wanted, 0.25, 4.0);
      nearest.offer(std::move(solid));
      if (max_volume > volume) break;
    }
  }
  return *std::move(nearest.best());
}

}  // namespace

Mesh fill_to_size(const Mesh& surface, int vertices) {
  return vertices < static_cast<int>(surface.vertices.size()) ? fill_thinned(surface, vertices)
                                                              : fill_refined(surface, vertices);
}

}  // namespace brio
