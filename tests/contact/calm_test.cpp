/// What lies somewhere comes to rest by the damper that scenes have, and what it takes is in the books.
#include "contact_scenes.h"
#include "testing.h"

namespace brio {
namespace {

enum class Thing { cube, stack, cloth };

struct Rest {
  double speed = 0;     ///< root mean square over all mass, in the last half second [m/s]
  double lost = 0;      ///< of contact [J]
  double residual = 0;  ///< of the books, the largest [J]
  double in_play = 0;   ///< energy of the fall [J]
};

Model lying(Thing thing, double damper) {
  Model model;
  model.set_gravity({0, -testing::gravity, 0});
  const auto add_cube = [&](double x, double y) {
    SolidOptions cube{.mesh = make_cube({.size = 0.2, .cells = 1}),
                      .material = {.name = "stable-neo-hookean", .mu = 4e4, .lambda = 8e4}};
    for (Vec3& vertex : cube.mesh.vertices) vertex += Vec3(x, y, 0);
    model.add(cube);
  };
  if (thing == Thing::cloth) {
    ClothOptions cloth{.mesh = make_sheet({.size = {0.6, 0.6}, .cells = {8, 8}}), .mass = 0.1};
    for (Vec3& vertex : cloth.mesh.vertices) vertex += Vec3(0, 0.02, 0);
    model.add(cloth);
  } else {
    add_cube(0, 0.105);
    if (thing == Thing::stack) add_cube(0.01, 0.31);
  }
  add_collider(model, {.shape = PlaneShape{}, .friction = 0.4, .thickness = 4e-3, .law = ColliderLaw::barrier});
  add_self_contact(model, {.thickness = 4e-3, .friction = 0.4, .damper = damper});
  return model;
}

Rest rest(Thing thing, double damper, const char* integrator) {
  constexpr int fps = 60, frames = 300, last = 30;
  Simulation simulation(lying(thing, damper), {.integrator = integrator, .h = 1.0 / fps});
  double mass = 0;
  for (const double m : simulation.model().mass()) mass += m;
  Rest found{.in_play = mass * testing::gravity * 0.02};
  for (int frame = 0; frame < frames; ++frame) {
    const StepReport report = simulation.step();
    EXPECT_TRUE(report.ok()) << report.message;
    EXPECT_FALSE(report.unconverged);
    EXPECT_GE(report.contact_loss, 0);
    if (!report.ok()) break;
    found.lost += report.contact_loss;
    found.residual = std::max(found.residual, std::abs(simulation.ledger().residual));
    if (frame >= frames - last) found.speed += 2 * simulation.ledger().kinetic / mass / last;
  }
  found.speed = std::sqrt(found.speed);
  return found;
}

}  // namespace

TEST(Calm, WhatLiesSomewhereComesToRestAndTheBooksSayWhatThatTakes) {
  for (const char* integrator : {"avf", "discrete-gradient"})
    for (const auto& [thing, name] :
         {std::pair{Thing::cube, "cube"}, {Thing::stack, "stack"}, {Thing::cloth, "cloth"}}) {
      const Rest calm = rest(thing, calm_damper, integrator);
      std::printf("%s, %s: %.4f m/s after 5 s with the damper, which took %.3g J of %.3g; residual %.1e J\n",
                  integrator, name, calm.speed, calm.lost, calm.in_play, calm.residual);
      EXPECT_LT(calm.speed, 0.05) << integrator << ", " << name;
      EXPECT_GT(calm.lost, 0) << integrator << ", " << name;
      EXPECT_LT(calm.residual, 1e-8 * calm.in_play) << integrator << ", " << name;
    }
}

TEST(Calm, WithoutTheDamperNothingIsLostAndNothingRests) {
  const Rest restless = rest(Thing::cloth, 0, "avf");
  std::printf("avf, cloth: %.4f m/s after 5 s without a damper\n", restless.speed);
  EXPECT_GT(restless.speed, 0.1);
  EXPECT_EQ(restless.lost, 0);
  EXPECT_LT(restless.residual, 1e-8 * restless.in_play);
}

}  // namespace brio
