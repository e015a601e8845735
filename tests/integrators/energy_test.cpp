/// What methods promise about energy, measured on the energy's definition.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "brio/sim.h"
#include "model/only_known.h"
#include "point_energy.h"

namespace brio {
namespace {

/// Every vertex of the model anywhere in a box of the size given [m].
State scattered(const Model& model, double size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> place(-size / 2, size / 2);
  State state = model.rest_state();
  for (std::size_t i = 0; i < state.x.size(); ++i) state.x[i] = Vec3(place(random), place(random), place(random));
  return state;
}

Model solid(const std::string& material) {
  Model model;
  model.add(SolidOptions{.mesh = make_bar({.cells = {3, 2, 2}}),
                         .material = testing::only_known({.name = material, .mu = 500, .lambda = 100, .kappa = 300}),
                         .mass = 1});
  return model;
}

Model springs(SpringLaw law) {
  Model model;
  model.add(ClothOptions{.mesh = make_sheet({.cells = {5, 5}}), .grid = {5, 5}, .law = law, .bend = 50, .mass = 0.5});
  return model;
}

/// Largest |H - H_0| / H_0 over the run.
double energy_error(Model model, const State& start, const SimulationOptions& options, int steps) {
  Simulation simulation(std::move(model), start, options);
  const double total = simulation.ledger().total;
  double worst = 0;
  for (int i = 0; i < steps; ++i) {
    const StepReport report = simulation.step();
    EXPECT_TRUE(report.ok()) << report.message;
    if (!report.ok()) return INFINITY;
    worst = std::max(worst, std::abs(simulation.ledger().total - total) / total);
  }
  return worst;
}

}  // namespace

TEST(Avf, KeepsTheEnergyOfCubicForcesFromRandomShapesOverAThousandFrames) {
  for (const QuadratureRule rule : {QuadratureRule::simpson, QuadratureRule::gauss2}) {
    const SimulationOptions options{.integrator = "avf", .h = 0.033, .options = {.quadrature = rule}};
    EXPECT_LT(energy_error(solid("stvk"), scattered(solid("stvk"), 1, 1), options, 1000), 1e-8) << rule;
    EXPECT_LT(energy_error(springs(SpringLaw::stvk), scattered(springs(SpringLaw::stvk), 1, 2), options, 1000), 1e-8)
        << rule;
  }
}

TEST(Avf, KeepsTheEnergyOfQuinticForcesWithThreeGaussPoints) {
  const SimulationOptions options{.integrator = "avf", .h = 0.033};  // what `auto` chooses
  for (const char* material : {"stvk-volume", "stable-neo-hookean"}) {
    Model model = solid(material);
    const State start = scattered(model, 1, 3);
    EXPECT_LT(energy_error(std::move(model), start, options, 1000), 1e-8) << material;
  }
}

TEST(Avf, KeepsTheEnergyWithTheIterativeLinearSolverToo) {
  const SimulationOptions options{
      .integrator = "avf", .h = 0.033, .options = {.solver = {.linear = LinearChoice::pcg}}};
  EXPECT_LT(energy_error(solid("stvk"), scattered(solid("stvk"), 1, 1), options, 1000), 1e-8);
}

TEST(Avf, LosesExactnessWhereTheRuleIsTooLow) {
  const SimulationOptions options{.integrator = "avf", .h = 0.033, .options = {.quadrature = QuadratureRule::gauss1}};
  EXPECT_GT(energy_error(solid("stvk"), scattered(solid("stvk"), 0.5, 1), options, 20), 1e-6);
}

TEST(Avf, TakesAnyRuleAndRefusesWhatIsNone) {
  const IntegratorOptions written{
      .quadrature = QuadratureRule::rule, .nodes = {0, 0.5, 1}, .weights = {1. / 6, 2. / 3, 1. / 6}};
  Model model = solid("stvk");
  State a = scattered(model, 1, 1);
  State b = a;
  find_integrator("avf").make({.quadrature = QuadratureRule::simpson})->step(model, a, 0.033);
  find_integrator("avf").make(written)->step(model, b, 0.033);
  for (std::size_t i = 0; i < a.x.size(); ++i) EXPECT_EQ(Vec3(a.x[i]), Vec3(b.x[i]));
  EXPECT_THROW(find_integrator("avf").make({.quadrature = QuadratureRule::rule, .nodes = {0.5}, .weights = {0.9}}),
               InputError);
  EXPECT_THROW(find_integrator("avf").make({.quadrature = QuadratureRule::rule, .nodes = {0.5}}), InputError);
}

TEST(Stabilized, HoldsTheEnergyWithinEpsilon) {
  for (const StabilizedStart start : {StabilizedStart::implicit_midpoint, StabilizedStart::symplectic_euler})
    for (const char* material : {"stvk-volume", "corotated", "stable-neo-hookean"}) {
      const SimulationOptions options{
          .integrator = "stabilized", .h = 0.033, .options = {.epsilon = 0.01, .start = start}};
      Model model = solid(material);
      const State shape = scattered(model, 1, 5);
      EXPECT_LT(energy_error(std::move(model), shape, options, 200), 0.0101) << material << ' ' << start;
    }
}

TEST(BackwardEuler, NeverGainsOnAConvexPotential) {
  Model model;
  Mesh points;
  points.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0)};
  const BodyId body = model.add(ParticlesOptions{.mesh = points, .mass = 0.2});
  for (int i = 0; i < 3; ++i)  // springs without rest length are quadratic wells
    model.attach(body, {{.vertex = i, .point = Vec3(i, 1, 0), .stiffness = 30.0 * (i + 1)}});
  const State start = scattered(model, 3, 9);
  Simulation simulation(std::move(model), start, {.integrator = "backward-euler", .h = 0.033});
  double before = simulation.ledger().total;
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(simulation.step().ok());
    EXPECT_LE(simulation.ledger().total, before * (1 + 1e-12));
    before = simulation.ledger().total;
  }
}

namespace {

/// A spring that ends at a wall of infinite energy.
struct Wall {
  static constexpr double stiffness = 1;
  PointResponse respond(const Vec3& x, Projection) const {
    const bool inside = x[0] < 1;
    return {.energy = inside ? 0.5 * x.squaredNorm() : std::numeric_limits<double>::infinity(),
            .gradient = x,
            .hessian = Eigen::Matrix3d::Identity()};
  }
};

}  // namespace

/// Implicit midpoint looks at the middle of the step, which is still before it,
/// and ends beyond; the half-life asks for less energy than even backward Euler's has.
TEST(Stabilized, TakesBackwardEulerWhereEnergyIsInfiniteAndAsksForLess) {
  Mesh mesh;
  mesh.vertices = {Vec3::Zero()};
  Model model;
  const BodyId body = model.add(ParticlesOptions{.mesh = mesh, .mass = 1});
  model.add(body, std::make_unique<PointEnergy<Wall>>("wall", 0, Wall{}));
  State state = model.rest_state();
  state.v[0] = Vec3(1.4, 0, 0);
  Simulation simulation(std::move(model), state, {.integrator = "stabilized", .h = 1, .options = {.half_life = 1e-3}});
  const StepReport report = simulation.step();
  ASSERT_TRUE(report.ok()) << report.message;
  EXPECT_EQ(report.alpha, 1);
  EXPECT_NEAR(simulation.state().x[0][0], 0.7, 1e-9);  // 1.4 / (1 + h²), backward Euler
}

}  // namespace brio
