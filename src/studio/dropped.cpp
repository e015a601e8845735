#include "studio/dropped.h"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "brio/mesh_io.h"
#include "brio/mesh_models.h"
#include "core/safe_file.h"

namespace brio::studio {

Dropped::Dropped() : folder_(std::filesystem::temp_directory_path(), "brio-studio", "make room there, or set TMPDIR") {}

SceneText Dropped::scene_of(const std::string& obj) {
  const std::filesystem::path file = folder_.path() / "dropped.obj";
  write_safely(file, obj);
  const Mesh mesh = tetrahedralize(read_mesh(file), {.quality = 2});
  write_mesh(folder_.path() / "dropped.msh", mesh);
  Eigen::AlignedBox3d box;
  for (const Vec3& vertex : mesh.vertices) box.extend(vertex);
  const double scale = 1 / box.sizes().maxCoeff();
  const Vec3 place = -scale * Vec3(box.center().x(), box.min().y(), box.center().z()) + Vec3(0, 0.5, 0);
  return {.text = fmt::format(R"(title = "Dropped"

[time]
fps = 60

[integrator]
name = "stabilized"

[solver]
name = "local-global"

[[body]]
name = "dropped"
mesh = {{ file = "dropped.msh" }}
scale = {}
position = [{}, {}, {}]          # m
material = {{ name = "stable-neo-hookean", young = 2e4, poisson = 0.4 }}   # Pa
density = 200                   # kg/m^3

[[collider]]
shape = "plane"
friction = 0.5
)",
                              scale, place.x(), place.y(), place.z()),
          .name = "dropped.toml",
          .folder = folder_.path()};
}

}  // namespace brio::studio
