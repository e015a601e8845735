#include <cmath>

#include "testing.h"

namespace brio {
using namespace testing;

namespace {

constexpr double mu = 0.5;
constexpr double length = 0.2;     // of the block [m]
constexpr double stiffness = 1e5;  // of the incline [N/m]

/// A flat block on a plane that falls towards +x by `slope` (its tangent), sunk in as deep as it will rest.
Model block_on_incline(double slope) {
  const double angle = std::atan(slope);
  const Mat3 tilt = testing::rotation(-angle, Vec3::UnitZ());
  Mesh block = make_bar({.size = {length, 0.05, length}, .cells = {2, 1, 2}});
  const double mass = 1000 * length * length * 0.05;
  const double sunk = mass * gravity * std::cos(angle) / (9 * stiffness);
  Model model;
  model.add(SolidOptions{.mesh = moved(std::move(block), tilt, tilt * Vec3(0, 0.025 - sunk, 0)),
                         .material = {.name = "stvk", .mu = 1e7, .lambda = 1e7}});
  model.set_gravity({0, -gravity, 0});
  add_collider(model, {.shape = PlaneShape{.normal = tilt * Vec3::UnitY()}, .stiffness = stiffness, .friction = mu});
  return model;
}

struct RubbingMethod {
  const char* name;
  double h;  ///< [s]
};
const RubbingMethod methods[]{{"avf", 1e-3}, {"backward-euler", 1e-3}, {"symplectic-euler", 1e-4}};

void run(Simulation& simulation, double seconds) {
  const StepReport report = simulation.step(static_cast<int>(std::lround(seconds / simulation.h())));
  ASSERT_TRUE(report.ok()) << report.message;
}

}  // namespace

/// Put down without strain, the block swings into its springs and slips by a few hundredths of a millimeter; from then
/// on it stays.
TEST(Incline, BlockSticksBelowTheAngleOfFriction) {
  for (const auto& [name, h] : methods) {
    Simulation simulation(block_on_incline(0.8 * mu), {.integrator = name, .h = h});
    const Vec3 placed = center_of_mass(simulation.model(), simulation.state().x);
    run(simulation, 0.5);
    const Vec3 settled = center_of_mass(simulation.model(), simulation.state().x);
    EXPECT_LT((settled - placed).norm(), 2.5e-4 * length) << name;
    run(simulation, 2);
    const Vec3 later = center_of_mass(simulation.model(), simulation.state().x);
    EXPECT_LT((later - settled).norm(), 1e-4 * length) << name;
  }
}

TEST(Incline, BlockSlidesAboveTheAngleOfFrictionWithCoulombsAcceleration) {
  for (const auto& [name, h] : methods) {
    const double slope = 1.5 * mu;
    const double angle = std::atan(slope);
    Simulation simulation(block_on_incline(slope), {.integrator = name, .h = h});
    const Vec3 down(std::cos(angle), -std::sin(angle), 0);
    run(simulation, 0.1);
    const double before = down.dot(mean_velocity(simulation.model(), simulation.state().v));
    run(simulation, 0.5);
    const double after = down.dot(mean_velocity(simulation.model(), simulation.state().v));
    const double expected = gravity * (std::sin(angle) - mu * std::cos(angle));
    EXPECT_NEAR((after - before) / 0.5, expected, 0.02 * expected) << name;
    EXPECT_GT(simulation.ledger().friction_loss, 0) << name;
  }
}

/// A block thrown along the floor comes to rest after v²/(2 μ gravity), its energy all gone into friction.
TEST(Incline, ThrownBlockStopsWhereItsEnergyIsSpent) {
  Model model = block_on_incline(0);
  State state = model.rest_state();
  for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] = Vec3(1, 0, 0);
  const double thrown = model.kinetic_energy(state.v);
  Simulation simulation(std::move(model), std::move(state), {.integrator = "avf", .h = 1e-3});
  const Vec3 start = center_of_mass(simulation.model(), simulation.state().x);
  run(simulation, 0.5);
  const double distance = (center_of_mass(simulation.model(), simulation.state().x) - start).x();
  EXPECT_NEAR(distance, 1 / (2 * mu * gravity), 0.02 * distance);
  EXPECT_NEAR(simulation.ledger().friction_loss, thrown, 0.01 * thrown);
  EXPECT_LT(std::abs(simulation.ledger().residual), 1e-4 * thrown);
}

/// Gravity's work on the way down is motion and heat, nothing else.
TEST(Incline, BooksCloseWhileSliding) {
  Simulation simulation(block_on_incline(1.5 * mu), {.integrator = "avf", .h = 1e-3});
  const LedgerRow start = simulation.ledger();
  run(simulation, 0.5);
  const LedgerRow& end = simulation.ledger();
  const double given = start.gravity - end.gravity;
  EXPECT_GT(given, 1);
  EXPECT_NEAR(end.kinetic + end.friction_loss, given, 0.01 * given);
  EXPECT_LT(std::abs(end.residual), 1e-4 * given);
}

}  // namespace brio
