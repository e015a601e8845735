/// Shapes and bodies that the tests of contact share.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

#include "brio/contact.h"
#include "brio/sim.h"
#include "contact/penalty_collider.h"
#include "model/random_shapes.h"

namespace brio::testing {

constexpr double gravity = 9.81;  // [m/s²]

inline Mesh moved(Mesh mesh, const Mat3& turn, const Vec3& shift) {
  for (Vec3& vertex : mesh.vertices) vertex = turn * vertex + shift;
  return mesh;
}

/// A closed surface that is not convex: an L of three cubes.
inline Mesh corner_piece() {
  Mesh mesh = make_bar({.size = {2, 2, 1}, .cells = {2, 2, 1}, .split = "six"});
  std::erase_if(mesh.tets, [&](const Tet& tet) {
    Vec3 center = Vec3::Zero();
    for (const int v : tet) center += mesh.vertices[v] / 4;
    return center.x() > 0 && center.y() > 0;
  });
  mesh = remove_unreferenced(mesh);
  mesh.triangles = surface(mesh);
  mesh.tets.clear();
  return mesh;
}

inline Vec3 random_vector(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> u(-size, size);
  const double x = u(random);
  const double y = u(random);
  return {x, y, u(random)};
}

inline Vec3 center_of_mass(const Model& model, const NodalField& x) {
  Vec3 sum = Vec3::Zero();
  double mass = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += model.mass()[i] * x[i];
    mass += model.mass()[i];
  }
  return sum / mass;
}

inline Vec3 mean_velocity(const Model& model, const NodalField& v) { return center_of_mass(model, v); }

/// One shape of each kind, with a name.
template <class Test>
void for_each_shape(Test test) {
  test("plane", shapes::Plane{});
  test("sphere", shapes::Sphere{.radius = 0.8});
  test("capsule", shapes::Capsule{.half_length = 0.6, .radius = 0.5});
  test("box", shapes::Box{.half = {0.9, 0.6, 0.7}});
  test("mesh", TriangleShape(corner_piece(), "mesh"));
}

}  // namespace brio::testing
