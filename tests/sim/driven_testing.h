/// Scenes that are driven from outside, told by an observer who may move with a velocity u of his own.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "brio/contact.h"
#include "brio/sim.h"

namespace brio::testing {

/// A straight path through the origin at time 0, for as long as any test lasts.
inline Motion straight(const Vec3& velocity) {
  constexpr double long_ago = -100, far_ahead = 100;  // [s]
  return {.keys = {{.time = long_ago, .translate = long_ago * velocity},
                   {.time = far_ahead, .translate = far_ahead * velocity}}};
}

struct DrivenScene {
  std::string name;
  /// The same for every observer: u is added to all that moves or is moved.
  std::function<Simulation(const SimulationOptions&, const Vec3& u)> make;
  bool implicit_only = false;
  bool avf_is_exact = false;  ///< forces are averaged exactly, not by a rule
};

inline SolidOptions small_bar() {
  return {.mesh = make_bar({.size = {0.75, 0.25, 0.25}, .cells = {3, 1, 1}}),
          .material = {.name = "stvk", .mu = 4e3, .lambda = 3e3},
          .mass = 0.8};
}

/// Of enough vertices that matrices are analyzed; after its first steps.
inline Simulation falling_bar(const std::string& solver) {
  Model model;
  model.add(SolidOptions{.mesh = make_bar({.cells = {12, 6, 6}}), .material = {.mu = 1e4, .lambda = 1e4}});
  model.set_gravity({0, -9.81, 0});
  Simulation simulation(model, {.integrator = "backward-euler", .h = 0.01, .options = {.solver = {.name = solver}}});
  EXPECT_TRUE(simulation.step(2).ok());
  return simulation;
}

/// Shaken: velocities that depend on the vertex alone, and u.
inline State shaken(const Model& model, const Vec3& u, double speed) {
  State state = model.rest_state();
  for (std::size_t i = 0; i < state.v.size(); ++i) {
    const auto k = static_cast<double>(i);
    state.v[i] = u + speed * Vec3(std::sin(3 * k + 1), std::cos(5 * k), std::sin(7 * k + 2));
  }
  return state;
}

inline std::vector<int> left_end(const Model& model) {
  return select(model.bodies()[0].mesh, BeyondPlane{{-0.374, 0, 0}, {-1, 0, 0}});
}

/// By its left end.
inline Model hanging_bar() {
  Model model;
  const BodyId bar = model.add(small_bar());
  model.pin(bar, left_end(model));
  model.set_gravity({0, -9.81, 0});
  return model;
}

inline std::vector<DrivenScene> driven_scenes() {
  std::vector<DrivenScene> scenes;
  const auto held = [](double strain, bool wind) {
    return [strain, wind](const SimulationOptions& options, const Vec3& u) {
      Model model;
      const BodyId bar = model.add(small_bar());
      model.pin(bar, left_end(model), straight(u));
      model.set_gravity({0, -9.81, 0});
      model.set_damping({.strain = strain});
      if (wind) model.blow(bar, {.velocity = u + Vec3(3, 1, 0)});
      State state = shaken(model, u, 0.3);
      return Simulation(std::move(model), std::move(state), options);
    };
  };
  scenes.push_back({"pins", held(0, false), false, true});
  scenes.push_back({"pins and damping of strain", held(0.01, false), false, true});
  scenes.push_back({"pins and wind", held(0, true), false, true});
  const auto attached = [](double length) {
    return [length](const SimulationOptions& options, const Vec3& u) {
      Model model;
      const BodyId bar = model.add(small_bar());
      std::vector<Attachment> attachments;
      for (const int vertex : left_end(model))
        attachments.push_back({.vertex = vertex,
                               .point = model.rest()[static_cast<std::size_t>(vertex)],
                               .stiffness = 500,
                               .rest_length = length});
      model.drive(model.attach(bar, attachments), straight(u));
      model.set_gravity({0, -9.81, 0});
      State state = shaken(model, u, 0.3);
      return Simulation(std::move(model), std::move(state), options);
    };
  };
  scenes.push_back({"attachments", attached(0), false, true});
  scenes.push_back({"attachments with a length", attached(0.01)});
  const auto on = [&](const std::string& name, const ColliderShape& shape, double friction, ColliderLaw law) {
    scenes.push_back(
        {name,
         [=](const SimulationOptions& options, const Vec3& u) {
           Model model;
           model.add(small_bar());
           model.set_gravity({0, -9.81, 0});
           add_collider(model,
                        {.shape = shape, .stiffness = 2e4, .friction = friction, .law = law, .motion = straight(u)});
           State state = shaken(model, u + Vec3(0.4, -0.3, 0), 0.02);
           return Simulation(std::move(model), std::move(state), options);
         },
         false, std::holds_alternative<PlaneShape>(shape)});
  };
  const double below = -0.125 + 1e-4;
  on("plane", PlaneShape{.point = {0, below, 0}}, 0, ColliderLaw::potential);
  on("plane with friction", PlaneShape{.point = {0, below, 0}}, 0.5, ColliderLaw::potential);
  on("plane with friction, law spring", PlaneShape{.point = {0, below, 0}}, 0.5, ColliderLaw::spring);
  on("sphere", SphereShape{.center = {0.02, below - 0.5, 0.01}, .radius = 0.5}, 0.3, ColliderLaw::potential);
  on("box", BoxShape{.center = {0.03, below - 0.5, 0.02}, .size = {3, 1, 3}}, 0.3, ColliderLaw::potential);
  on("capsule", CapsuleShape{.a = {-1, below - 0.3, 0.03}, .b = {1, below - 0.3, 0.03}, .radius = 0.3}, 0.3,
     ColliderLaw::potential);
  Mesh block = make_bar({.size = {3, 1, 3}, .cells = {1, 1, 1}});
  for (Vec3& vertex : block.vertices) vertex.y() += below - 0.5;
  on("mesh", MeshShape{.mesh = block}, 0.3, ColliderLaw::potential);
  const auto beside = [&](const std::string& name, const ColliderShape& shape) {
    scenes.push_back({name + ", law barrier",
                      [=](const SimulationOptions& options, const Vec3& u) {
                        Model model;
                        model.add(small_bar());
                        model.set_gravity({0, -9.81, 0});
                        add_collider(model, {.shape = shape,
                                             .stiffness = 100,
                                             .friction = 0.3,
                                             .thickness = 2e-3,
                                             .law = ColliderLaw::barrier,
                                             .motion = straight(u)});
                        State state = shaken(model, u + Vec3(0.4, -0.05, 0), 0.02);
                        return Simulation(std::move(model), std::move(state), options);
                      },
                      false, false});
  };
  const double apart = -0.125 - 1.5e-3;
  beside("plane", PlaneShape{.point = {0, apart, 0}});
  beside("sphere", SphereShape{.center = {0.02, apart - 0.5, 0.01}, .radius = 0.5});
  beside("box", BoxShape{.center = {0.03, apart - 0.5, 0.02}, .size = {3, 1, 3}});
  beside("capsule", CapsuleShape{.a = {-1, apart - 0.3, 0.03}, .b = {1, apart - 0.3, 0.03}, .radius = 0.3});
  Mesh wedge = make_bar({.size = {3, 1, 3}, .cells = {1, 1, 1}});
  for (Vec3& vertex : wedge.vertices) vertex.y() += apart - 0.5;
  beside("mesh", MeshShape{.mesh = wedge});
  scenes.push_back({"bodies that touch",
                    [](const SimulationOptions& options, const Vec3& u) {
                      Model model;
                      model.add(small_bar());
                      SolidOptions second = small_bar();
                      for (Vec3& vertex : second.mesh.vertices) vertex += Vec3(0.1, 0.2505, 0.02);
                      model.add(second);
                      add_self_contact(model, {.thickness = 2e-3, .stiffness = 50, .friction = 0.3});
                      State state = shaken(model, u, 0.01);
                      for (std::size_t i = model.vertices() / 2; i < model.vertices(); ++i) state.v[i].y() -= 0.2;
                      return Simulation(std::move(model), std::move(state), options);
                    },
                    true, false});
  return scenes;
}

}  // namespace brio::testing
