/// Materials that never invert: every step ends where their energy is finite, or says that it could not.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "brio/contact.h"
#include "brio/material.h"
#include "brio/sim.h"
#include "model/inversion.h"
#include "model/materials/registry.h"
#include "model/only_known.h"

namespace brio {
namespace {

struct HardMotion {
  const char* name;
  double h;  // [s]
  int steps;
  bool ordinary;  ///< every implicit method gets through
  void (*begin)(State& state);
};

void set_turning(State& state, double stretch, double speed, double noise) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    state.x[i] *= stretch;
    state.v[i] = speed * Vec3(0, 0, 1).cross(Vec3(state.x[i]));
    state.v[i] += noise * Vec3(normal(random), normal(random), normal(random));
  }
}

constexpr HardMotion hard_motions[]{
    {"turning", 1.0 / 60, 10, true, [](State& state) { set_turning(state, 1.1, 3, 0.02); }},
    {"squeezed", 1.0 / 30, 6, false, [](State& state) { set_turning(state, 0.3, 3, 0); }},
    {"violent", 1.0 / 30, 6, false, [](State& state) { set_turning(state, 2.2, 10, 1); }},
    {"shattered", 1.0 / 30, 3, false, [](State& state) { set_turning(state, 1, 0, 30); }},
};

Model barrier_bar_of(const std::string& material) {
  Model model;
  model.add(SolidOptions{
      .mesh = make_bar({.size = {0.8, 0.4, 0.4}, .cells = {3, 2, 2}}),
      .material = testing::only_known({.name = material, .mu = 4e3, .lambda = 1e4, .kappa = 1e4, .a = 1.5e3, .b = 5e2}),
      .density = 100});
  return model;
}

/// What went wrong without a word; `finished`: all steps were made.
std::string silent_failure(const Method& method, const std::string& material, const HardMotion& motion,
                           const SolverOptions& solver, bool& finished) {
  Model model = barrier_bar_of(material);
  State state = model.rest_state();
  motion.begin(state);
  if (!method.dynamic) return {};
  Simulation simulation(std::move(model), state,
                        {.integrator = method.name, .h = motion.h, .options = {.solver = solver}});
  finished = false;
  for (int k = 0; k < motion.steps; ++k) {
    const StepReport report = simulation.step();
    if (!report.ok())
      return report.message.find("choose") == std::string::npos ? "gave up without a remedy: " + report.message : "";
    if (simulation.state().step != k + 1) return "a step that was none";
    if (!simulation.ledger().finite()) return "infinite energy";
    const Inversion inversion = find_inverted(simulation.model(), simulation.state().x);
    if (inversion.inverted > 0) return fmt::format("{} elements inside out after step {}", inversion.inverted, k);
  }
  finished = true;
  return {};
}

/// Soft bodies that fall 1 m onto the ground and are squeezed flat there: E = 1e4 Pa, nu = 0.4, 10 kg.
struct Drop {
  const char* integrator;
  const char* material = "neo-hookean";
  Mesh mesh = make_bar({.size = {0.6, 0.4, 0.4}, .cells = {5, 3, 3}});
  double damping = 0;  ///< variational: k_D [s]
};

struct Hops {
  StepReport report;
  double gained = 0;  ///< the most energy from nowhere, as a fraction of that of the fall
  int hops = 0;       ///< times that the body left the ground
};

Hops drop(const Drop& of, int frames) {
  Model model;
  const double mu = 1e4 / 2.8, lambda = 1e4 * 0.4 / (1.4 * 0.2);
  model.add(SolidOptions{.mesh = of.mesh, .material = {.name = of.material, .mu = mu, .lambda = lambda}, .mass = 10});
  model.set_gravity({0, -9.81, 0});
  add_collider(model, {});
  State state = model.rest_state();
  const Eigen::Matrix3d turned = Eigen::AngleAxisd(0.7, Vec3(1, 0.3, 1).normalized()).toRotationMatrix();
  for (std::size_t i = 0; i < state.x.size(); ++i) state.x[i] = turned * Vec3(state.x[i]) + Vec3(0, 1.4, 0);
  Simulation simulation(std::move(model), state,
                        {.integrator = of.integrator, .h = 0.01, .options = {.damping = of.damping}});
  const bool barrier = find_material(of.material).barrier;
  constexpr double energy = 10 * 9.81 * 1;  // [J]
  Hops hops;
  bool touches = false;
  for (int k = 0; k < frames && hops.report.ok(); ++k) {
    hops.report = simulation.step();
    EXPECT_EQ(simulation.state().step, hops.report.ok() ? k + 1 : k) << of.integrator;
    const long inverted = find_inverted(simulation.model(), simulation.state().x).inverted;
    EXPECT_TRUE(inverted == 0 || !barrier) << of.integrator << ", frame " << k;
    const bool touched = std::exchange(touches, simulation.ledger().contact > 0);
    hops.hops += touched && !touches ? 1 : 0;
    hops.gained = std::max(hops.gained, simulation.ledger().residual / energy);
  }
  return hops;
}

/// A tet of which one vertex flies so fast that the step ends beyond the opposite face, while its middle, where most
/// methods look, does not: 1.5 times the height.
StepReport shoot_through(const Method& method, const std::string& material, Inversion& inversion) {
  Mesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, 1}};
  mesh.tets = {{0, 1, 2, 3}};
  Model model;
  model.add(SolidOptions{
      .mesh = mesh,
      .material = testing::only_known({.name = material, .mu = 1, .lambda = 1, .kappa = 1, .a = 0.4, .b = 0.1}),
      .mass = 1000});
  State state = model.rest_state();
  state.v[3] = Vec3(0, 0, -150);
  const StepReport report = method.make({})->step(model, state, 0.01);
  inversion = find_inverted(model, state.x);
  return report;
}

}  // namespace

TEST(Domain, EveryStepEndsWithinItOrSaysWhyNot) {
  const SolverOptions solvers[]{{}, {.name = "local-global"}, {.name = "lbfgs"}};
  for (const MaterialEntry& material : materials()) {
    if (!material.barrier) continue;
    for (const Method& method : integrators())
      for (const HardMotion& motion : hard_motions)
        for (const SolverOptions& solver : solvers) {
          const bool ours = solver.name == solvers[0].name;
          if (!ours && (method.force_evaluations > 0 || motion.name != std::string("squeezed"))) continue;
          bool finished = true;
          const std::string told = fmt::format("{}, {}, {}, {}", material.name, method.name, motion.name, solver.name);
          EXPECT_EQ(silent_failure(method, material.name, motion, solver, finished), "") << told;
          if (!finished) std::printf("told why not: %s\n", told.c_str());
          EXPECT_TRUE(finished || !motion.ordinary || method.force_evaluations > 0) << told;
        }
  }
}

/// The material is so soft that nothing but the domain stops the vertex.
TEST(Domain, EndsOfStepsWhoseMiddleIsWithinItAreSeenTo) {
  for (const MaterialEntry& material : materials()) {
    if (!material.barrier) continue;
    int halved = 0;
    for (const Method& method : integrators()) {
      if (!method.dynamic) continue;
      Inversion inversion;
      const StepReport report = shoot_through(method, material.name, inversion);
      EXPECT_EQ(inversion.inverted, 0) << material.name << ", " << method.name;
      EXPECT_TRUE(report.ok() || report.message.find("choose") != std::string::npos)
          << method.name << ": " << report.message;
      halved += report.ok() && report.halvings == 0 ? 0 : 1;
    }
    EXPECT_GT(halved, 0) << material.name << ": the end of no step mattered";
  }
}

TEST(Domain, BodiesThatAreSqueezedFlatHopOn) {
  for (const char* integrator : {"variational", "implicit-midpoint", "energy-budget"}) {
    const StepReport report = drop({.integrator = integrator}, 150).report;
    EXPECT_TRUE(report.ok()) << integrator << ": " << report.message;
  }
}

/// S3's hopping body, with the damping that is part of their method: contact gives nothing away, and squeezed elements
/// that h does not resolve do not get the better of it.
TEST(Domain, AHoppingBodyGainsNoEnergyWithTheDampingOfItsMethod) {
  for (const char* material : {"neo-hookean", "stable-neo-hookean"})
    for (const int cells : {5, 8}) {
      const Hops hops = drop({.integrator = "variational",
                              .material = material,
                              .mesh = make_bar({.size = {0.6, 0.4, 0.4}, .cells = {cells, cells - 2, cells - 2}}),
                              .damping = 1e-3},
                             150);
      std::printf("%s, %d cells: gained %.1e, hops %d\n", material, cells, hops.gained, hops.hops);
      EXPECT_TRUE(hops.report.ok()) << material << ": " << hops.report.message;
      EXPECT_LT(hops.gained, 0.06) << material << ", " << cells;
      EXPECT_GE(hops.hops, 1) << material << ", " << cells;
    }
}

}  // namespace brio
