/// Materials that never invert: every step ends where their energy is finite, or says that it could not.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

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

/// A soft body that falls 1 m onto the ground and is squeezed flat there.
StepReport drop(const std::string& integrator, int frames) {
  Model model;
  model.add(SolidOptions{.mesh = make_bar({.size = {0.6, 0.4, 0.4}, .cells = {5, 3, 3}}),
                         .material = {.name = "neo-hookean", .mu = 1e4 / 2.8, .lambda = 1e4 * 0.4 / (1.4 * 0.2)},
                         .mass = 10});
  model.set_gravity({0, -9.81, 0});
  add_collider(model, {});
  State state = model.rest_state();
  const Eigen::Matrix3d turned = Eigen::AngleAxisd(0.7, Vec3(1, 0.3, 1).normalized()).toRotationMatrix();
  for (std::size_t i = 0; i < state.x.size(); ++i) state.x[i] = turned * Vec3(state.x[i]) + Vec3(0, 1.4, 0);
  Simulation simulation(std::move(model), state, {.integrator = integrator, .h = 0.01});
  StepReport report;
  for (int k = 0; k < frames && report.ok(); ++k) {
    report = simulation.step();
    EXPECT_EQ(simulation.state().step, report.ok() ? k + 1 : k) << integrator;
    EXPECT_EQ(find_inverted(simulation.model(), simulation.state().x).inverted, 0) << integrator << ", frame " << k;
  }
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

TEST(Domain, BodiesThatAreSqueezedFlatHopOn) {
  for (const char* integrator : {"variational", "implicit-midpoint", "energy-budget"}) {
    const StepReport report = drop(integrator, 150);
    EXPECT_TRUE(report.ok()) << integrator << ": " << report.message;
  }
}

}  // namespace brio
