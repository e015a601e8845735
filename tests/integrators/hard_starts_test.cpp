/// Elements that are mirrored, collapsed or scattered are ordinary in animation: every solver gets out of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "brio/sim.h"
#include "model/only_known.h"

namespace brio {
namespace {

struct Start {
  const char* name;
  void (*place)(NodalField& x);
};

constexpr Start starts[]{
    {"mirrored far end",
     [](NodalField& x) {
       for (std::size_t i = 0; i < x.size(); ++i)
         if (x[i][0] > 0.3) x[i][0] -= 0.9;
     }},
    {"mirrored",
     [](NodalField& x) {
       for (std::size_t i = 0; i < x.size(); ++i) x[i][0] = -x[i][0];
     }},
    {"flat",
     [](NodalField& x) {
       for (std::size_t i = 0; i < x.size(); ++i) x[i][1] = 0;
     }},
    {"a point",
     [](NodalField& x) {
       for (std::size_t i = 0; i < x.size(); ++i) x[i] = Vec3::Zero();
     }},
    {"scattered",
     [](NodalField& x) {
       std::mt19937 random(3);
       std::uniform_real_distribution<double> place(-0.3, 0.3);
       for (std::size_t i = 0; i < x.size(); ++i) x[i] = Vec3(place(random), place(random), place(random));
     }},
};

struct Chosen {
  const char* name;
  SolverOptions options;
};

/// All frames of 1/30 s, or why not.
std::string complaint(const std::string& material, const Start& start, const char* integrator,
                      const SolverOptions& solver) {
  Model model;
  model.add(SolidOptions{
      .mesh = make_bar({.size = {1, 0.25, 0.25}, .cells = {8, 2, 2}}),
      .material = testing::only_known({.name = material, .mu = 2e4, .lambda = 3e4, .kappa = 3e4, .a = 5e3, .b = 5e3})});
  State state = model.rest_state();
  start.place(state.x);
  try {
    Simulation simulation(std::move(model), state,
                          {.integrator = integrator, .h = 0.0333, .options = {.solver = solver}});
    for (int k = 0; k < 2; ++k) {
      const StepReport report = simulation.step();
      if (!report.ok()) return fmt::format("step {}: {}", k, report.message);
    }
  } catch (const InputError&) {
    return {};  // outside the domain of the material
  }
  return {};
}

}  // namespace

TEST(HardStarts, NewtonGetsOutOfMirroredAndCollapsedElements) {
  const Chosen solvers[]{{"project", {}},
                         {"tikhonov", {.definite = Definite::tikhonov}},
                         {"local-global", {.name = "local-global"}},
                         {"lbfgs", {.name = "lbfgs"}}};
  for (const MaterialEntry& material : materials())
    for (const Start& start : starts)
      for (const char* integrator : {"backward-euler", "implicit-midpoint", "stabilized", "energy-budget"})
        for (const Chosen& solver : solvers) {
          const std::string found = complaint(material.name, start, integrator, solver.options);
          EXPECT_EQ(found, "") << material.name << ", " << start.name << ", " << integrator << ", " << solver.name;
        }
}

}  // namespace brio
