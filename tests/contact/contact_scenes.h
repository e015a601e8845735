/// Scenes in which bodies touch.
#pragma once

#include <Eigen/Geometry>

#include "brio/contact.h"
#include "brio/sim.h"
#include "contact/crossings.h"
#include "contact/self_contact.h"

namespace brio::testing {

inline Material soft(double mu) { return {.name = "stvk", .mu = mu, .lambda = mu}; }

inline void move(Model& model, State& state, BodyId body, const Eigen::Matrix3d& turn, const Vec3& shift,
                 const Vec3& velocity) {
  const Body& b = model.body(body);
  for (std::size_t k = 0; k < b.mesh.vertices.size(); ++k) {
    const std::size_t i = b.first_vertex + k;
    state.x[i] = turn * Vec3(state.x[i]) + shift;
    state.v[i] = velocity;
  }
}

inline Eigen::Matrix3d turned(double angle, const Vec3& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

inline std::vector<ContactSurface> all_surfaces(const Model& model) {
  std::vector<BodyId> bodies;
  for (const Body& body : model.bodies()) bodies.push_back(body.id);
  return contact_surfaces(model, bodies, 1e-3);
}

inline bool same_bits(const NodalField& a, const NodalField& b) {
  return std::equal(a.data(), a.data() + 4 * a.size(), b.data(), b.data() + 4 * b.size());
}

inline Vec3 mean_place(const Model& model, const NodalField& x, BodyId body) {
  const Body& b = model.body(body);
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < b.mesh.vertices.size(); ++k) sum += x[b.first_vertex + k];
  return sum / static_cast<double>(b.mesh.vertices.size());
}

/// Everything in touch: a cube's corner above a sheet, a second cube beside it, two wires across each other and the
/// sheet.
struct Heap {
  Model model;
  State state;
  SelfContact* contact;

  Heap() {
    const Mesh cube = make_cube({.size = 0.3, .cells = 1});
    const BodyId first = model.add(SolidOptions{.mesh = cube, .material = soft(1e3)});
    const BodyId second = model.add(SolidOptions{.mesh = cube, .material = soft(1e3)});
    const BodyId sheet = model.add(ClothOptions{.mesh = make_sheet({.size = {0.8, 0.8}, .cells = {4, 4}})});
    const Mesh line = make_line({.length = 0.6, .segments = 3});
    const BodyId along = model.add(WireOptions{.mesh = line, .radius = 0.04});
    const BodyId across = model.add(WireOptions{.mesh = line, .radius = 0.04});
    contact = static_cast<SelfContact*>(&model.energy(add_self_contact(model, {.thickness = 0.1, .stiffness = 50})));
    state = model.rest_state();
    const Vec3 still = Vec3::Zero();
    move(model, state, first, turned(0.9, {1, 0.2, 0.8}), {0.02, 0.29, 0.03}, still);
    move(model, state, second, turned(0.4, {0.3, 1, 0.1}), {0.47, 0.36, 0.02}, still);
    move(model, state, sheet, turned(0.02, {1, 0, 0.3}), {0, 0, 0}, still);
    move(model, state, along, turned(0.1, {0, 1, 0.2}), {0.05, -0.07, 0.1}, still);
    move(model, state, across, turned(1.2, {0.1, 1, 0}), {0.05, -0.13, 0.12}, still);
  }
};

}  // namespace brio::testing
