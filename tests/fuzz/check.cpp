#include "check.h"

#include <cmath>

#include "mesh/io/formats.h"

namespace brio {
namespace {

void require_sound(const Mesh& mesh) {
  for (const Vec3& x : mesh.vertices)
    for (const double component : x) require(std::isfinite(component));
  const auto check_cells = [&](const auto& cells) {
    for (const auto& cell : cells)
      for (const int i : cell) require(i >= 0 && static_cast<std::size_t>(i) < mesh.vertices.size());
  };
  check_cells(mesh.tets);
  check_cells(mesh.triangles);
  check_cells(mesh.segments);
}

template <class Parse>
void check(Parse parse) {
  try {
    require_sound(parse());
  } catch (const InputError& error) {
    require(!error.complaint().file.empty() && !error.complaint().problem.empty());
  }
}

}  // namespace

void check_msh(std::string_view bytes) {
  check([&] { return parse_msh(bytes, "x.msh"); });
}
void check_vtk(std::string_view bytes) {
  check([&] { return parse_vtk(bytes, "x.vtk"); });
}
void check_vtu(std::string_view bytes) {
  check([&] { return parse_vtu(bytes, "x.vtu"); });
}
void check_obj(std::string_view bytes) {
  check([&] { return parse_obj(bytes, "x.obj"); });
}
void check_ply(std::string_view bytes) {
  check([&] { return parse_ply(bytes, "x.ply"); });
}
void check_stl(std::string_view bytes) {
  check([&] { return parse_stl(bytes, "x.stl"); });
}
void check_off(std::string_view bytes) {
  check([&] { return parse_off(bytes, "x.off"); });
}
void check_tetgen(std::string_view bytes) {
  const std::size_t zero = std::min(bytes.find('\0'), bytes.size());
  const std::string_view ele = zero < bytes.size() ? bytes.substr(zero + 1) : std::string_view{};
  check([&] { return parse_tetgen(bytes.substr(0, zero), "x.node", ele, "x.ele"); });
}

}  // namespace brio
