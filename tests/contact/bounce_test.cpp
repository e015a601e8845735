#include "contact/collider_contact.h"
#include "testing.h"

namespace brio {
using namespace testing;

constexpr double height = 0.5;  // of the fall [m]
constexpr double side = 0.2;    // of the cube [m]

/// A cube of 8 kg, so stiff (sound crosses it in 2 ms) that a soft floor (50 ms of contact) leaves it no vibration to
/// keep: what was height becomes height again.
Model falling_cube(const ColliderOptions& floor) {
  Model model;
  Mesh cube = moved(make_cube({.size = side, .cells = 2}), Mat3::Identity(), {0, height + side / 2, 0});
  model.add(SolidOptions{.mesh = std::move(cube), .material = {.name = "stvk", .mu = 4e6, .lambda = 4e6}});
  model.set_gravity({0, -9.81, 0});
  add_collider(model, floor);
  return model;
}

struct Bounce {
  double apex = 0;      ///< of the center of mass after contact, as a fraction of the drop height
  double residual = 0;  ///< largest, as a fraction of the energy of the fall
  double deepest = 0;   ///< fraction of the cube's side
};

Bounce bounce(const std::string& integrator, const ColliderOptions& floor, const IntegratorOptions& options) {
  Simulation simulation(falling_cube(floor), {.integrator = integrator, .h = 1e-3, .options = options});
  const double energy = 8 * 9.81 * height;
  Bounce result;
  bool hit = false;
  for (int step = 0; step < 760; ++step) {
    const StepReport report = simulation.step();
    EXPECT_TRUE(report.ok()) << report.message;
    if (!report.ok()) return result;
    hit = hit || simulation.ledger().contact > 0;
    const double above = center_of_mass(simulation.model(), simulation.state().x).y() - side / 2;
    if (hit) result.apex = std::max(result.apex, above / height);
    result.residual = std::max(result.residual, std::abs(simulation.ledger().residual) / energy);
    result.deepest = std::max(result.deepest, deepest_penetration(simulation.model(), simulation.state()).fraction);
  }
  return result;
}

const ColliderOptions soft_floor{.shape = PlaneShape{}, .stiffness = 3000};

TEST(Bounce, AvfReturnsToTheHeightOfTheDrop) {
  const Bounce result = bounce("avf", soft_floor, {});
  EXPECT_GT(result.apex, 0.99);
  EXPECT_LT(result.apex, 1.001);
  EXPECT_LT(result.residual, 1e-3);
}

TEST(Bounce, StabilizedReturnsToTheHeightOfTheDrop) {
  const Bounce result = bounce("stabilized", soft_floor, {.epsilon = 1e-3});
  EXPECT_GT(result.apex, 0.99);
  EXPECT_LT(result.apex, 1.01);
  EXPECT_LT(result.residual, 5e-3);
}

TEST(Bounce, BothLawsAreTheSameOnAPlane) {
  ColliderOptions spring = soft_floor;
  spring.law = ColliderLaw::spring;
  EXPECT_NEAR(bounce("avf", spring, {}).apex, bounce("avf", soft_floor, {}).apex, 1e-9);
}

TEST(HeldSpring, BouncesAsWellAsTheOtherLawsWhereStepsResolveTheContact) {
  ColliderOptions held = soft_floor;
  held.law = ColliderLaw::held_spring;
  const Bounce result = bounce("avf", held, {});
  EXPECT_GT(result.apex, 0.99);
  EXPECT_LT(result.apex, 1.01);
}

/// One ball, mass m, falls on a plane at speed v. What S0's rule gives it for nothing is the energy of the depth at
/// which a step first finds it: up to k (v h)²/2, that is (ωh)² of its energy, ω² = k/m.
TEST(HeldSpring, GivesAwayTheEnergyOfTheDepthAtWhichAVertexIsFirstFound) {
  constexpr double mass = 1, h = 1e-3, speed = 1;  // kg, s, m/s
  const auto gain = [&](ColliderLaw law, double stiffness, double start) {
    Model model;
    Mesh ball;
    ball.vertices = {Vec3(0, start, 0)};
    model.add(ParticlesOptions{.mesh = ball, .mass = mass});
    add_collider(model, {.shape = PlaneShape{}, .stiffness = stiffness, .law = law});
    State state = model.rest_state();
    state.v[0] = Vec3(0, -speed, 0);
    Simulation simulation(std::move(model), std::move(state), {.integrator = "avf", .h = h});
    EXPECT_TRUE(simulation.step(100).ok());
    EXPECT_GT(simulation.state().v[0].y(), 0) << law;
    return (simulation.ledger().kinetic + simulation.ledger().contact) / (0.5 * mass * speed * speed) - 1;
  };
  for (const double stiffness : {1e4, 1e6, 3e7}) {
    const double omega_h = std::sqrt(stiffness / mass) * h;
    for (const double fraction : {0.2, 0.5, 0.9}) {  // of the step's path that lies below the floor
      const double start = (10 - fraction) * speed * h;
      EXPECT_NEAR(gain(ColliderLaw::spring, stiffness, start), 0, 1e-9);
      EXPECT_NEAR(gain(ColliderLaw::potential, stiffness, start), 0, 1e-9);
      EXPECT_NEAR(gain(ColliderLaw::held_spring, stiffness, start), std::pow(omega_h * fraction, 2),
                  1e-9 + 1e-6 * omega_h * omega_h);
    }
  }
}

TEST(HeldSpring, StaysUntilTheVertexIsOutsideAndMovesAway) {
  ColliderContact contact(shapes::Plane{}, {.stiffness = 1, .rule = ColliderLaw::held_spring}, {0}, Pose{}, Motion{});
  NodalField x(1);
  const auto held = [&](double y, double speed) {
    x[0] = Vec3(0, y, 0);
    contact.freeze(x, 0, [&](std::size_t, const Vec3&, const Vec3&) { return speed; });
    return contact.holds(0);
  };
  EXPECT_FALSE(held(0.1, -1)) << "never inside";
  EXPECT_TRUE(held(-0.1, -1)) << "found inside";
  EXPECT_TRUE(held(-0.1, 1)) << "moving away, but still inside";
  EXPECT_TRUE(held(0.1, -1)) << "outside, but coming back";
  EXPECT_TRUE(held(0.1, -1)) << "asked again";
  EXPECT_FALSE(held(0.1, 1)) << "outside and moving away";
  EXPECT_FALSE(held(0.1, -1)) << "forgotten";
}

/// Without a stiffness the cube stops within about a hundredth of its side; with an explicit method the step allows
/// less.
TEST(Bounce, RecommendedStiffnessStopsTheFallWithinAHundredthOfTheSize) {
  const Bounce implicit = bounce("avf", {.shape = PlaneShape{}}, {});
  EXPECT_GT(implicit.deepest, 0.003);
  EXPECT_LT(implicit.deepest, 0.015);
  const Model model = falling_cube(soft_floor);
  const double free = recommended_stiffness(model, {.drop_height = height});
  EXPECT_GT(recommended_stiffness(model, {.drop_height = 2 * height}), 1.5 * free);
  const double lightest = *std::min_element(model.mass().begin(), model.mass().end());
  EXPECT_EQ(recommended_stiffness(model, {.drop_height = height, .explicit_step = 1e-2}), 0.25 * lightest / 1e-4);
}

}  // namespace brio
