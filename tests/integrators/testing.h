/// Small systems with known answers.
#pragma once

#include <Eigen/Geometry>

#include "brio/integrators.h"

namespace brio::testing {

/// A mass on a spring: vertex 0 is pinned at the origin, vertex 1 moves along x around 1 m.
inline Model mass_on_spring(SpringLaw law, double stiffness, double mass) {
  Mesh mesh;
  mesh.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0)};
  mesh.segments = {{0, 1}};
  Model model;
  const BodyId body = model.add(ParticlesOptions{.mesh = mesh, .law = law, .stiffness = stiffness, .mass = mass});
  model.pin(body, std::vector<int>{0});
  return model;
}

/// The state with the moving mass at 1 + stretch [m] and the velocity given [m/s].
inline State pulled(const Model& model, double stretch, double velocity) {
  State state = model.rest_state();
  state.x[1][0] += stretch;
  state.v[1][0] = velocity;
  return state;
}

/// A free block, stretched, bent and tumbling.
inline State tumbling(const Model& model) {
  State state = model.rest_state();
  for (std::size_t i = 0; i < model.vertices(); ++i) {
    const Vec3 p = state.x[i];
    state.x[i] = Vec3(1.1 * p[0], 0.95 * p[1] + 0.05 * p[0] * p[0], p[2] + 0.1 * p[0] * p[1]);
    state.v[i] = Vec3(0.3, 0.2, -0.1) + Vec3(1, -2, 3).cross(p);
  }
  return state;
}

}  // namespace brio::testing
