/// Pinned vertices that are driven into something: it gives way, or the step fails and says so.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "contact/contact_scenes.h"

namespace brio {
using namespace testing;

namespace {

Mesh moved_by(Mesh mesh, const Vec3& shift) {
  for (Vec3& vertex : mesh.vertices) vertex += shift;
  return mesh;
}

bool is_stepwise(const brio::Method& method) { return method.force_evaluations > 0; }

Motion down(double speed) { return {.keys = {{.time = 0}, {.time = 10, .translate = Vec3(0, -10 * speed, 0)}}}; }

std::vector<int> top_of(const Mesh& mesh) {
  double top = -1;
  for (const Vec3& vertex : mesh.vertices) top = std::max(top, vertex.y());
  return select(mesh, BeyondPlane{{0, top - 1e-6, 0}, {0, 1, 0}});
}

SimulationOptions options_for(const brio::Method& method, double h) { return {.integrator = method.name, .h = h}; }

/// A cube, pressed down by its upper face, onto a sheet that hangs at its corners.
Simulation cube_into_sheet(const brio::Method& method, double speed, double h) {
  Model model;
  const BodyId sheet = model.add(ClothOptions{.mesh = make_sheet({.size = {1, 1}, .cells = {6, 6}}),
                                              .grid = {6, 6},
                                              .stretch = 500,
                                              .shear = 300,
                                              .bend = 0.5,
                                              .mass = 0.5});
  Mesh cube = moved_by(make_cube({.size = 0.2, .cells = 1}), {0.013, 0.15, 0.021});
  const BodyId body = model.add(SolidOptions{.mesh = cube, .material = soft(1e5), .mass = 1});
  model.pin(sheet, std::vector<int>{0, 6, 42, 48});
  model.pin(body, top_of(cube), down(speed));
  add_self_contact(model, {.thickness = 4e-3});
  return {std::move(model), options_for(method, h)};
}

/// A corner of a sheet, dragged down across a wire that is held at its ends.
Simulation corner_across_wire(const brio::Method& method, double speed, double h) {
  Model model;
  Mesh mesh = moved_by(make_sheet({.size = {0.4, 0.4}, .cells = {4, 4}}), {0.213, 0.05, 0.017});
  const BodyId sheet =
      model.add(ClothOptions{.mesh = mesh, .grid = {4, 4}, .stretch = 500, .shear = 300, .bend = 0.5, .mass = 0.1});
  const BodyId wire = model.add(
      WireOptions{.mesh = make_line({.length = 1, .segments = 12}), .radius = 0.01, .stiffness = 2000, .mass = 0.1});
  std::vector<int> corners;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    if (std::abs(std::abs(mesh.vertices[i].z() - 0.017) - 0.2) < 1e-9) corners.push_back(static_cast<int>(i));
  model.pin(sheet, corners, down(speed));
  model.pin(wire, std::vector<int>{0, 12});
  add_self_contact(model, {.thickness = 4e-3});
  return {std::move(model), options_for(method, h)};
}

/// Nothing here gives way.
Simulation held_into_held(const brio::Method& method, double speed, double h) {
  Model model;
  const Mesh sheet_mesh = make_sheet({.size = {1, 1}, .cells = {2, 2}});
  const BodyId sheet = model.add(ClothOptions{.mesh = sheet_mesh, .grid = {2, 2}, .mass = 0.5});
  Mesh cube = moved_by(make_cube({.size = 0.2, .cells = 1}), {0.013, 0.15, 0.021});
  const BodyId body = model.add(SolidOptions{.mesh = cube, .material = soft(1e5), .mass = 1});
  const auto all = [](const Mesh& mesh) {
    std::vector<int> list(mesh.vertices.size());
    for (std::size_t k = 0; k < list.size(); ++k) list[k] = static_cast<int>(k);
    return list;
  };
  model.pin(sheet, all(sheet_mesh));
  model.pin(body, all(cube), down(speed));
  add_self_contact(model, {.thickness = 4e-3});
  return {std::move(model), options_for(method, h)};
}

struct Outcome {
  int steps = 0;
  std::string message{};
  double contact = 0;
};

/// Steps until one fails; whatever stands has passed through nothing.
Outcome run_into(Simulation simulation, int steps, const std::string& name) {
  const auto surfaces = all_surfaces(simulation.model());
  Outcome outcome;
  for (; outcome.steps < steps; ++outcome.steps) {
    const NodalField before = simulation.state().x;
    const StepReport report = simulation.step();
    outcome.message = report.message;
    if (!report.ok()) return outcome;
    outcome.contact = std::max(outcome.contact, simulation.ledger().contact);
    EXPECT_TRUE(find_crossings(surfaces, simulation.state().x).empty()) << name << ", step " << outcome.steps;
    EXPECT_FALSE(is_stepwise(find_integrator(name)) && went_through(surfaces, before, simulation.state().x))
        << name << ", step " << outcome.steps;
  }
  return outcome;
}

using Scene = std::function<Simulation(const brio::Method&, double, double)>;

/// 5 m/s: twenty times the thickness in every step.
void expect_to_give_way(const Scene& scene) {
  for (const brio::Method& method : integrators()) {
    if (is_stepwise(method)) continue;
    const Outcome outcome = run_into(scene(method, 5, 1.0 / 60), 12, method.name);
    EXPECT_EQ(outcome.steps, 12) << method.name << ": " << outcome.message;
    EXPECT_GT(outcome.contact, 0) << method.name;
  }
}

/// 200 m/s: five times the thickness in steps of 0.1 ms.
void expect_to_fail_loudly(const Scene& scene) {
  for (const brio::Method& method : integrators()) {
    if (!is_stepwise(method)) continue;
    const Outcome outcome = run_into(scene(method, 200, 1e-4), 40, method.name);
    EXPECT_LT(outcome.steps, 40) << method.name;
    EXPECT_NE(outcome.message.find("smaller h"), std::string::npos) << method.name << ": " << outcome.message;
  }
}

}  // namespace

TEST(DrivenPins, AFacePushesThroughNoSheet) { expect_to_give_way(cube_into_sheet); }
TEST(DrivenPins, ACornerIsDraggedThroughNoWire) { expect_to_give_way(corner_across_wire); }
TEST(DrivenPins, AnExplicitStepInWhichAFacePassesASheetFails) { expect_to_fail_loudly(cube_into_sheet); }
TEST(DrivenPins, AnExplicitStepInWhichACornerPassesAWireFails) { expect_to_fail_loudly(corner_across_wire); }

TEST(DrivenPins, WhatIsHeldIsNotDrivenThroughWhatIsHeld) {
  for (const brio::Method& method : integrators()) {
    const Outcome outcome = run_into(held_into_held(method, 5, 1.0 / 60), 12, method.name);
    EXPECT_LT(outcome.steps, 12) << method.name;
    EXPECT_FALSE(outcome.message.empty()) << method.name;
  }
}

}  // namespace brio
