/// Elements that are mirrored, collapsed or scattered are ordinary in animation: every solver gets out of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "brio/contact.h"
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

/// Minima at the end of long curved valleys, which a hundred iterations do not reach even in steps of h/64: the torture
/// test's runs 646 and 600 of seed 1, and 20 of seed 2, made small.
TEST(HardStarts, StiffNetsThatAreScatteredComeToTheirEnd) {
  std::mt19937 random(538);
  for (const char* integrator : {"stabilized", "backward-euler"}) {
    Model model;
    model.add(ClothOptions{.mesh = make_sheet({.size = {1.259e-3, 1.188e-3}, .cells = {8, 6}}),
                           .grid = {8, 6},
                           .law = SpringLaw::stvk,
                           .stretch = 7.47e9,
                           .shear = 2.78e9,
                           .bend = 1.82e9,
                           .mass = 8.29e-8});
    State state = model.rest_state();
    std::uniform_real_distribution<double> place(-1.57e-4, 1.57e-4);
    for (std::size_t i = 0; i < model.vertices(); ++i) state.x[i] += Vec3(place(random), place(random), place(random));
    Simulation simulation(std::move(model), state, {.integrator = integrator, .h = 0.02346});
    const StepReport report = simulation.step();
    ASSERT_TRUE(report.ok()) << integrator << ": " << report.message;
    EXPECT_LE(simulation.ledger().total, 1.01 * measure(simulation.model(), state).total) << integrator;
  }
}

/// Three iterations from where a stiff body would fly freely leave most of the energy that it would have there.
TEST(HardStarts, WhatIsAcceptedUnsolvedIsSoughtFromWhereThereIsLessEnergy) {
  Model model;
  model.add(SolidOptions{.mesh = make_bar({.size = {10.31, 1.766, 2.975}, .cells = {1, 1, 1}}),
                         .material = {.name = "stable-neo-hookean", .mu = 3e9, .lambda = 1e9},
                         .density = 18});
  State state = model.rest_state();
  for (std::size_t i = 0; i < model.vertices(); ++i)
    state.v[i] = Vec3(602, 1430, 908) + Vec3(-210, 210, 147).cross(Vec3(state.x[i]));
  const double start = measure(model, state).total;
  Simulation simulation(
      std::move(model), state,
      {.integrator = "backward-euler",
       .h = 0.05773,
       .options = {.solver = {.tolerance = 1e-4, .iterations = 3, .unconverged = Unconverged::accept}}});
  for (int frame = 0; frame < 10; ++frame) {
    const StepReport report = simulation.step();
    ASSERT_TRUE(report.ok()) << report.message;
  }
  EXPECT_LT(simulation.ledger().total, 2 * start);
}

/// All that is near enough repels: what starts smaller than the thickness of its contact has as many pairs as it can.
TEST(HardStarts, WorkIsBoundedWhereBodiesAreSmallerThanTheirContact) {
  Model model;
  model.add(SolidOptions{.mesh = make_bar({.size = {0.05, 0.02, 0.02}, .cells = {3, 1, 1}}),
                         .material = {.name = "stable-neo-hookean", .mu = 1.6e6, .lambda = 7e5}});
  add_self_contact(model, {.thickness = 2e-3});
  State state = model.rest_state();
  for (std::size_t i = 0; i < model.vertices(); ++i) state.x[i] *= 3e-4;
  for (const char* integrator : {"stabilized", "bathe", "variational"}) {
    const int solves = integrator == std::string("bathe") ? 2 : 1;  // in each step
    Simulation simulation(model, state, {.integrator = integrator, .h = 0.01});
    const StepReport report = simulation.step();
    EXPECT_TRUE(report.ok() || report.message.find("; choose a smaller h") != std::string::npos) << report.message;
    EXPECT_LT(report.iterations, 5000 * solves) << integrator;
  }
}

/// Whatever is inside out or torn apart, and however early the solver ends: nothing holds it, so it falls.
TEST(HardStarts, FallLikeAnythingElse) {
  constexpr double h = 0.01, mass = 6;
  constexpr int steps = 20;
  const Vec3 gravity(0, -9.81, 0);
  int finished = 0;
  for (const Method& method : integrators()) {
    const bool minimizes = method.family != "explicit" && method.dynamic;
    if (!minimizes || !method.linear_momentum) continue;
    for (const Start& start : starts) {
      Model model;
      model.add(SolidOptions{.mesh = make_bar({.size = {0.6, 0.1, 0.1}, .cells = {2, 1, 1}}), .density = mass / 6e-3});
      model.set_gravity(gravity);
      State state = model.rest_state();
      start.place(state.x);
      // Forces of the tolerance times those in play, which store the energy at the highest frequency.
      const double unbalanced = 10 * SolverOptions{}.tolerance * (1 + h * highest_frequency(model, state.x));
      Simulation simulation(std::move(model), state,
                            {.integrator = method.name, .h = h, .options = {.solver = {.name = "local-global"}}});
      double in_play = 0, first = 0;  // [kg m/s], [J]
      for (int step = 1; step <= steps && simulation.step().ok(); ++step) {
        const LedgerRow& row = simulation.ledger();
        if (step > 1 && row.kinetic + row.elastic > 100 * first) break;  // methods that explode round everything away
        if (step == 1) first = row.kinetic + row.elastic;
        in_play = std::max(in_play, std::sqrt(2 * mass * (row.kinetic + row.elastic)));
        EXPECT_LT((row.linear - mass * row.time * gravity).norm(), unbalanced * step * in_play)
            << method.name << ", " << start.name << ", step " << step;
        ++finished;
      }
    }
  }
  EXPECT_GT(finished, 500);
}

}  // namespace brio
