/// A small simulation in which everything has something to remember.
#pragma once

#include "brio/contact.h"
#include "brio/sim.h"

namespace brio {

inline Simulation remembering(const std::string& method) {
  Model model;
  for (int i = 0; i < 2; ++i) {
    Mesh cube = make_cube({.size = 0.2, .cells = 1});
    for (Vec3& p : cube.vertices) p.y() += 0.1 + 0.205 * i;
    model.add(SolidOptions{.mesh = cube, .density = 100});
  }
  model.pin(BodyId(1), std::vector<int>{7}, {.keys = {{.time = 0}, {.time = 1, .translate = Vec3(0.01, 0, 0)}}});
  model.set_gravity({1, -9.81, 0});
  for (const ColliderLaw law : {ColliderLaw::potential, ColliderLaw::held_spring})
    add_collider(model, {.stiffness = 2e3, .friction = 0.4, .law = law});
  add_self_contact(model, {.thickness = 0.01, .friction = 0.5});
  return {std::move(model), {.integrator = method, .h = 1e-3}};
}

/// Methods with a memory of every kind, and one without.
inline const char* const methods_that_remember[]{"backward-euler", "bdf2",     "stabilized",    "energy-budget",
                                                 "verlet",         "leapfrog", "stormer-verlet"};

}  // namespace brio
