/// Contact laws that others add.
#include <gtest/gtest.h>

#include <cmath>

#include "brio/contact.h"
#include "brio/energy.h"
#include "brio/sim.h"

namespace brio {
namespace {

constexpr double cubic_length = 1e-2;  ///< [m]

/// V = k/3 |q|³ / cubic_length.
GapEnergy cubic(double k, double gap) {
  return {.value = -k * gap * gap * gap / (3 * cubic_length),
          .slope = -k * gap * gap / cubic_length,
          .curvature = -2 * k * gap / cubic_length};
}
/// The spring under another name.
GapEnergy spring(double k, double gap) { return {.value = 0.5 * k * gap * gap, .slope = k * gap, .curvature = k}; }

void register_once() {
  static const bool done = [] {
    register_penalty_law({.name = "cubic-test", .energy = cubic});
    register_penalty_law({.name = "spring-test", .energy = spring});
    return true;
  }();
  (void)done;
}

Model particle_over(const ColliderShape& shape, const std::string& penalty, ColliderLaw law, double friction = 0) {
  register_once();
  Mesh mesh;
  mesh.vertices = {Vec3(0.001, 0.01, 0.002)};
  Model model;
  model.add(ParticlesOptions{.mesh = mesh, .mass = 0.5});
  model.set_gravity({0, -9.81, 0});
  add_collider(model, {.shape = shape, .stiffness = 1e4, .friction = friction, .law = law, .penalty = penalty});
  return model;
}

std::vector<ColliderShape> penalty_shapes() {
  return {PlaneShape{}, SphereShape{.center = {0, -0.5, 0}}, BoxShape{.center = {0, -0.5, 0}},
          CapsuleShape{.a = {-1, -0.25, 0}, .b = {1, -0.25, 0}}};
}

}  // namespace

TEST(PenaltyLaws, RestWhereTheirForceIsTheWeight) {
  for (const ColliderShape& shape : penalty_shapes())
    for (const ColliderLaw law : {ColliderLaw::potential, ColliderLaw::spring}) {
      const Model model = particle_over(shape, "cubic-test", law);
      State state = model.rest_state();
      state.x[0] = Vec3(0, -1e-3, 0);
      const StepReport report = find_equilibrium(model, state);
      ASSERT_TRUE(report.ok()) << report.message;
      EXPECT_NEAR(state.x[0].y(), -std::sqrt(0.5 * 9.81 * cubic_length / 1e4), 1e-8) << law << shape.index();
    }
}

TEST(PenaltyLaws, HaveTheDerivativesOfTheirValueThroughEveryShape) {
  for (const ColliderShape& shape : penalty_shapes())
    for (const bool mean : {false, true}) {
      const Model model = particle_over(shape, "cubic-test", ColliderLaw::potential);
      const Energy& energy = *model.energies().back();
      NodalField x(1), from(1), g(1), unused(1);
      from[0] = Vec3(0.02, 0.01, 0.01);
      x[0] = Vec3(0.03, -0.02, 0.04);
      Moment when = mean ? Moment::along({.start = 0, .end = 1, .h = 1}, from, 1) : Moment::at(0);
      when.mean = mean;
      BlockMatrix H(model.pattern());
      H.set_zero();
      g.set_zero();
      ASSERT_GT(energy.hessian({x, when}, {}, Projection::none, g, H), 0);
      for (int c = 0; c < 3; ++c) {
        constexpr double d = 1e-6;
        NodalField plus = x, minus = x, g_plus(1), g_minus(1);
        plus[0][c] += d;
        minus[0][c] -= d;
        const double slope =
            (energy.gradient({plus, when}, {}, g_plus) - energy.gradient({minus, when}, {}, g_minus)) / (2 * d);
        EXPECT_NEAR(g[0][c], slope, 1e-5 * g[0].norm()) << shape.index() << mean;
        for (int r = 0; r < 3; ++r)
          EXPECT_NEAR(H.block(0)[3 * r + c], (g_plus[0][r] - g_minus[0][r]) / (2 * d), 1e-4 * std::abs(H.block(0)[4]))
              << shape.index() << mean;
      }
    }
}

TEST(PenaltyLaws, TheSpringUnderAnotherNameMovesAsTheSpringDoes) {
  for (const ColliderShape& shape : penalty_shapes())
    for (const ColliderLaw law : {ColliderLaw::potential, ColliderLaw::spring, ColliderLaw::held_spring}) {
      const auto end = [&](const char* penalty) {
        Simulation simulation(particle_over(shape, penalty, law, 0.3), {.integrator = "backward-euler", .h = 1e-3});
        EXPECT_TRUE(simulation.step(100).ok());
        return std::pair(Vec3(simulation.state().x[0]), simulation.ledger().friction_loss);
      };
      const auto known = end("quadratic"), other = end("spring-test");
      EXPECT_LT((known.first - other.first).norm(), 1e-12) << law << shape.index();
      EXPECT_NEAR(known.second, other.second, 1e-12);
    }
}

TEST(PenaltyLaws, BounceWithoutLossToTheRuleOfTheirAverage) {
  Simulation simulation(particle_over(PlaneShape{}, "cubic-test", ColliderLaw::potential),
                        {.integrator = "avf", .h = 5e-4});
  const double start = simulation.ledger().total;
  double worst = 0, deepest = 0;
  for (int step = 0; step < 400; ++step) {
    ASSERT_TRUE(simulation.step().ok());
    worst = std::max(worst, std::abs(simulation.ledger().total - start));
    deepest = std::min(deepest, simulation.state().x[0].y());
  }
  EXPECT_LT(deepest, -1e-3);
  EXPECT_LT(worst, 1e-3 * start);
}

TEST(PenaltyLaws, ThatContradictThemselvesAreRefused) {
  register_once();
  EXPECT_THROW(register_penalty_law({.name = "quadratic", .energy = cubic}), InputError);
  EXPECT_THROW(register_penalty_law({.name = "none"}), InputError);
  const auto refused = [](GapEnergy (*energy)(double, double)) {
    try {
      register_penalty_law({.name = "wrong", .energy = energy});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refused([](double k, double q) {
              return GapEnergy{0.5 * k * q * q, 2 * k * q, k};
            }).find("slope"),
            std::string::npos);
  EXPECT_NE(refused([](double k, double q) {
              return GapEnergy{0.5 * k * q * q, k * q, 3 * k};
            }).find("curvature"),
            std::string::npos);
  EXPECT_NE(refused([](double k, double q) {
              return GapEnergy{-0.5 * k * q * q, -k * q, -k};
            }).find(">= 0"),
            std::string::npos);
  Model model = particle_over(PlaneShape{}, "quadratic", ColliderLaw::potential);
  try {
    add_collider(model, {.penalty = "quadratik"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'quadratic'"), std::string::npos) << error.what();
  }
}

}  // namespace brio
