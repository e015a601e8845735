#include "brio/view.h"

#include <Eigen/Geometry>

#include "model/body_checks.h"

namespace brio {

BodyView::BodyView(const Model& model, BodyId body) : body_(body) {
  const Body& b = model.body(body);
  const std::vector<Triangle> all = b.kind == BodyKind::cloth ? b.mesh.triangles : surface(b.mesh);
  std::vector<int> place(b.mesh.vertices.size(), -1);
  for (const Triangle& t : all) {
    std::array<std::uint32_t, 3> corners{};
    for (std::size_t a = 0; a < 3; ++a) {
      int& known = place[static_cast<std::size_t>(t[a])];
      if (known < 0) {
        known = static_cast<int>(vertices_.size());
        vertices_.push_back(t[a]);
      }
      corners[a] = static_cast<std::uint32_t>(known);
    }
    triangles_.push_back(corners);
  }
  positions_.resize(vertices_.size());
  normals_.resize(vertices_.size());
  sums_.resize(vertices_.size());
  update(model, model.rest_state());
}

void BodyView::update(const Model& model, const State& state) {
  const int first = model.body(body_).first_vertex;
  const auto at = [&](std::size_t k) -> Vec3 { return state.x[first + vertices_[k]]; };
  for (std::size_t k = 0; k < vertices_.size(); ++k) {
    const Vec3 x = at(k);
    positions_[k] = {static_cast<float>(x[0]), static_cast<float>(x[1]), static_cast<float>(x[2])};
    sums_[k].setZero();
  }
  for (const auto& t : triangles_) {  // weighted by area
    const Vec3 across = (at(t[1]) - at(t[0])).cross(at(t[2]) - at(t[0]));
    for (const std::uint32_t k : t) sums_[k] += across;
  }
  for (std::size_t k = 0; k < vertices_.size(); ++k) {
    const double length = sums_[k].norm();
    const Vec3 n = length > 0 ? Vec3(sums_[k] / length) : Vec3(Vec3::UnitY());
    normals_[k] = {static_cast<float>(n[0]), static_cast<float>(n[1]), static_cast<float>(n[2])};
  }
}

}  // namespace brio
