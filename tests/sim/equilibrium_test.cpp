/// Equilibria: as the start of a motion, and as all there is of it.
#include <gtest/gtest.h>

#include <cmath>

#include "brio/contact.h"
#include "brio/sim.h"
#include "integrators/testing.h"
#include "model/only_known.h"

namespace brio {
namespace {

constexpr double g = 9.81;  ///< [m/s²]

/// A bar that hangs from its upper end, 1 m long.
Model hanging(const Material& material, std::array<int, 3> cells = {2, 6, 2}) {
  Model model;
  const BodyId bar = model.add(
      SolidOptions{.mesh = make_bar({.size = {0.2, 1, 0.2}, .cells = cells}), .material = material, .density = 1000});
  model.pin(bar, select(model.bodies()[0].mesh, BeyondPlane{{0, 0.499, 0}, {0, 1, 0}}));
  model.set_gravity({0, -g, 0});
  return model;
}

Material made_of(const std::string& name, double young, double poisson) {
  const Lame moduli = lame(young, poisson);
  return testing::only_known({.name = name,
                              .mu = moduli.mu,
                              .lambda = moduli.lambda,
                              .kappa = moduli.lambda + 2 * moduli.mu / 3,
                              .a = moduli.mu / 4,
                              .b = moduli.mu / 4});
}

double weight(const Model& model) {
  double mass = 0;
  for (const double m : model.mass()) mass += m;
  return mass * g;
}

/// The largest force that is left at a free vertex, beside the weight of the whole.
double unbalanced(const Model& model, const State& state) {
  NodalField f(model.vertices());
  model.force(state, f);
  double most = 0;
  for (std::size_t i = 0; i < f.size(); ++i)
    if (model.pinned()[i] == 0) most = std::max(most, f[i].norm());
  return most / weight(model);
}

double farthest(const NodalField& a, const NodalField& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
  return most;
}

Model hanging_cloth() {
  Model model;
  const BodyId cloth = model.add(ClothOptions{
      .mesh = make_sheet({.size = {1, 1}, .cells = {8, 8}}), .grid = {8, 8}, .stretch = 200, .bend = 5, .mass = 0.3});
  model.pin(cloth, std::vector<int>{0, 8});
  model.set_gravity({0, -g, 0});
  return model;
}

Model hanging_wire() {
  Mesh line;
  for (int i = 0; i <= 16; ++i) line.vertices.emplace_back(i / 16.0, 0, 0);
  for (int i = 0; i < 16; ++i) line.segments.push_back({i, i + 1});
  Model model;
  const BodyId wire = model.add(WireOptions{.mesh = line, .radius = 0.02, .mass = 0.2});
  model.pin(wire, std::vector<int>{0, 1, 2});
  model.set_gravity({0, -g, 0});
  return model;
}

/// A cube over a plane that its lower side already touches.
Model lying(double stiffness, double friction = 0) {
  Model model;
  Mesh mesh = make_cube({.size = 0.3, .cells = 2});
  for (Vec3& vertex : mesh.vertices) vertex.y() += 0.15;
  model.add(SolidOptions{.mesh = mesh, .material = made_of("neo-hookean", 1e5, 0.3)});
  model.set_gravity({0, -g, 0});
  add_collider(model, {.shape = PlaneShape{}, .stiffness = stiffness, .friction = friction});
  return model;
}

}  // namespace

TEST(Equilibrium, LeavesNoForceInAnyMaterial) {
  for (const MaterialEntry& material : materials()) {
    const Model model = hanging(made_of(material.name, 1e5, 0.3));
    State state = model.rest_state();
    const StepReport report = find_equilibrium(model, state);
    ASSERT_TRUE(report.ok()) << material.name << ": " << report.message;
    EXPECT_LT(unbalanced(model, state), 1e-10) << material.name;
    EXPECT_LT(model.gravity_energy(state.x), model.gravity_energy(model.rest())) << material.name;
    EXPECT_EQ(model.kinetic_energy(state.v), 0);
    EXPECT_EQ(state.time, 0);
    EXPECT_EQ(state.step, 0);
  }
}

TEST(Equilibrium, OfClothAndWireLeavesNoForceToo) {
  for (const Model& model : {hanging_cloth(), hanging_wire()}) {
    State state = model.rest_state();
    const StepReport report = find_equilibrium(model, state);
    ASSERT_TRUE(report.ok()) << report.message;
    EXPECT_LT(unbalanced(model, state), 1e-9) << model.bodies()[0].kind;
    EXPECT_GT(farthest(state.x, model.rest()), 0.02) << model.bodies()[0].kind;
  }
}

TEST(Equilibrium, OfAMassOnASpringIsWeightOverStiffness) {
  for (const double k : {50.0, 5e3, 5e7}) {
    Model model = testing::mass_on_spring(SpringLaw::hookean, k, 2);
    model.set_gravity({g, 0, 0});
    State state = testing::pulled(model, 0.3, 5);
    ASSERT_TRUE(find_equilibrium(model, state).ok());
    EXPECT_NEAR(state.x[1][0], 1 + 2 * g / k, 1e-9 * (1 + 2 * g / k));
    EXPECT_EQ(Vec3(state.v[1]), Vec3::Zero());
  }
}

TEST(Equilibrium, ABarHangsByItsWeightAsTextbooksSay) {
  constexpr double young = 2e6;
  const double wanted = 1000 * g / (2 * young);  // rho g L² / (2 E), L = 1 m
  for (const char* material : {"stvk", "corotated", "stable-neo-hookean", "neo-hookean"}) {
    double error = 0;
    for (const int cells : {6, 12}) {
      const Model model = hanging(made_of(material, young, 0), {2, cells, 2});
      State state = model.rest_state();
      ASSERT_TRUE(find_equilibrium(model, state).ok()) << material;
      double lowest = 0;
      for (std::size_t i = 0; i < state.x.size(); ++i) lowest = std::min(lowest, state.x[i].y());
      error = std::abs(-0.5 - lowest - wanted) / wanted;
      EXPECT_LT(error, 0.12 / cells + 0.01) << material << ", " << cells;  // of the mesh, and of large strain
    }
  }
}

TEST(Equilibrium, IsWhereAvfStaysAtRest) {
  const auto check = [](const Model& model, double h) {
    State state = model.rest_state();
    ASSERT_TRUE(find_equilibrium(model, state, {.tolerance = 1e-13}).ok());
    const double exchange = std::abs(model.gravity_energy(state.x) - model.gravity_energy(model.rest()));
    Simulation simulation(Model(model), state,
                          {.integrator = "avf", .h = h, .options = {.solver = {.tolerance = 1e-13}}});
    for (int step = 0; step < 100; ++step) {
      ASSERT_TRUE(simulation.step().ok());
      EXPECT_LE(simulation.ledger().kinetic, 1e-16 * exchange);
    }
  };
  check(hanging(made_of("stable-neo-hookean", 1e5, 0.3)), 0.01);
  check(hanging_wire(), 0.01);
  check(lying(5e3), 0.01);
}

TEST(Equilibrium, OnAPlaneIsCarriedByIt) {
  for (const double k : {2e3, 1e5}) {
    const Model model = lying(k);
    State state = model.rest_state();
    const StepReport report = find_equilibrium(model, state);
    ASSERT_TRUE(report.ok()) << report.message;
    double carried = 0;
    for (std::size_t i = 0; i < state.x.size(); ++i) carried += k * std::max(0.0, -state.x[i].y());
    EXPECT_NEAR(carried, weight(model), 1e-9 * weight(model));
    Vec3 drift = Vec3::Zero();  // what nothing holds does not move either
    for (std::size_t i = 0; i < state.x.size(); ++i) drift += model.mass()[i] * (state.x[i] - model.rest()[i]);
    EXPECT_LT(std::hypot(drift.x(), drift.z()), 1e-9 * weight(model));
  }
}

TEST(Equilibrium, IsFoundFromShapesThatAreTurnedInsideOut) {
  const Model model = hanging(made_of("stable-neo-hookean", 1e5, 0.3), {1, 4, 1});
  State straight = model.rest_state();
  ASSERT_TRUE(find_equilibrium(model, straight).ok());
  State state = model.rest_state();
  for (std::size_t i = 0; i < state.x.size(); ++i)
    if (model.pinned()[i] == 0) state.x[i].y() = 0.6 - 0.3 * state.x[i].y();  // above where it hangs from
  const StepReport report = find_equilibrium(model, state);
  ASSERT_TRUE(report.ok()) << report.message;
  EXPECT_LT(unbalanced(model, state), 1e-9);
}

TEST(Equilibrium, ThereIsNoneForWhatFalls) {
  Model model;
  model.add(SolidOptions{.mesh = make_cube({.cells = 2})});
  model.set_gravity({0, -g, 0});
  State state = model.rest_state();
  const StepReport report = find_equilibrium(model, state);
  EXPECT_FALSE(report.ok());
  EXPECT_NE(report.message.find("there is no equilibrium"), std::string::npos) << report.message;
  EXPECT_EQ(farthest(state.x, model.rest()), 0);
  model.set_gravity(Vec3::Zero());
  EXPECT_TRUE(find_equilibrium(model, state).ok());  // nothing pulls: it stays
  EXPECT_EQ(farthest(state.x, model.rest()), 0);
}

TEST(Equilibrium, IsTheSameForEverySolver) {
  const Model model = hanging(made_of("corotated", 1e5, 0));
  State first = model.rest_state();
  ASSERT_TRUE(find_equilibrium(model, first).ok());
  for (const SolverMethod& method : solvers()) {
    State state = model.rest_state();
    const StepReport report =
        find_equilibrium(model, state, {.name = method.name, .tolerance = 1e-9, .iterations = 3000});
    ASSERT_TRUE(report.ok()) << method.name << ": " << report.message;
    EXPECT_LT(farthest(state.x, first.x), 1e-6) << method.name;
  }
}

namespace {

/// A bar whose upper end is moved aside and turned within a second.
Simulation moved_bar(const std::string& integrator, double h, const Damping& damping = {}) {
  Model model;
  const BodyId bar = model.add(SolidOptions{.mesh = make_bar({.size = {0.2, 1, 0.2}, .cells = {2, 5, 2}}),
                                            .material = made_of("stable-neo-hookean", 2e5, 0.3)});
  model.pin(bar, select(model.bodies()[0].mesh, BeyondPlane{{0, 0.499, 0}, {0, 1, 0}}),
            {.keys = {{.time = 0}, {.time = 1, .translate = {0.3, 0.1, 0}, .turn = {0, 0, 0.5}}}});
  model.set_gravity({0, -g, 0});
  model.set_damping(damping);
  State state = model.rest_state();
  EXPECT_TRUE(find_equilibrium(model, state).ok());
  return {std::move(model),
          std::move(state),
          {.integrator = integrator, .h = h, .options = {.solver = {.tolerance = 1e-12}}}};
}

}  // namespace

TEST(QuasiStatic, EndsInTheSameShapeHoweverManyStepsAPinsPathIsCutInto) {
  Simulation once = moved_bar("quasi-static", 1);
  ASSERT_TRUE(once.step().ok());
  double previous = INFINITY;
  for (const int steps : {4, 16}) {
    Simulation simulation = moved_bar("quasi-static", 1.0 / steps);
    ASSERT_TRUE(simulation.step(steps).ok());
    EXPECT_LT(farthest(simulation.state().x, once.state().x), 1e-8) << steps;
    EXPECT_LT(unbalanced(simulation.model(), simulation.state()), 1e-10) << steps;
    const LedgerRow& row = simulation.ledger();
    EXPECT_LT(std::abs(row.residual), 1e-9 * (row.user_work + row.elastic)) << steps;
    // A slow path loses nothing: what is left is the rule that work is taken by, of order two.
    EXPECT_LT(std::abs(row.damping_loss), 0.1 * previous) << steps;
    EXPECT_LT(std::abs(row.damping_loss), 1e-2 * row.user_work) << steps;
    previous = std::abs(row.damping_loss);
  }
}

TEST(QuasiStatic, DoesNotDependOnHButOnWhereSupportsAre) {
  const Model model = hanging(made_of("stvk", 1e5, 0.3));
  State first;
  for (const double h : {1e-6, 1e-2, 1e6}) {
    Simulation simulation(Model(model), {.integrator = "quasi-static", .h = h});
    ASSERT_TRUE(simulation.step().ok()) << h;
    if (first.x.size() == 0) first = simulation.state();
    for (std::size_t i = 0; i < first.x.size(); ++i) ASSERT_EQ(Vec3(simulation.state().x[i]), Vec3(first.x[i])) << h;
    EXPECT_EQ(simulation.ledger().kinetic, 0);
    EXPECT_GT(simulation.ledger().damping_loss, 0);  // it fell into place
    EXPECT_LT(std::abs(simulation.ledger().residual), 1e-12 * simulation.ledger().elastic);
    const StepReport again = simulation.step();
    EXPECT_EQ(again.iterations, 0);  // and stays
  }
}

TEST(QuasiStatic, IsTheLimitOfBackwardEulerThatIsStronglyDamped) {
  Simulation limit = moved_bar("quasi-static", 1);
  ASSERT_TRUE(limit.step().ok());
  Simulation damped = moved_bar("backward-euler", 0.05, {.relative = 20});
  ASSERT_TRUE(damped.step(400).ok());
  EXPECT_LT(farthest(damped.state().x, limit.state().x), 1e-5);
}

TEST(QuasiStatic, KeepsToContactsAndBooksFriction) {
  Model model = lying(1e4, 0.5);
  model.drive(model.attach(model.bodies()[0].id, {{.vertex = 0, .point = model.rest()[0], .stiffness = 2e3}}),
              {.keys = {{.time = 0}, {.time = 1, .translate = {0.5, 0, 0}}}});
  Simulation simulation(std::move(model), {.integrator = "quasi-static", .h = 0.05});
  for (int step = 0; step < 20; ++step) {
    const StepReport report = simulation.step();
    ASSERT_TRUE(report.ok()) << report.message;
    const LedgerRow& row = simulation.ledger();
    EXPECT_LT(std::abs(row.residual), 1e-9 * (std::abs(row.user_work) + row.elastic + row.contact));
  }
  EXPECT_GT(simulation.ledger().friction_loss, 0);
  EXPECT_LT(deepest_penetration(simulation.model(), simulation.state()).fraction, 0.1);
}

TEST(QuasiStatic, RefusesWhatFallsWithWords) {
  Model model;
  model.add(SolidOptions{.mesh = make_cube({.cells = 2})});
  model.set_gravity({0, -g, 0});
  Simulation simulation(std::move(model), {.integrator = "quasi-static", .h = 0.01});
  const StepReport report = simulation.step();
  EXPECT_EQ(report.status, StepReport::Status::failed);
  EXPECT_NE(report.message.find("pin or attach it"), std::string::npos) << report.message;
}

/// It comes back to a size thousands of times that of its start, which is no sign that nothing holds it.
TEST(QuasiStatic, FindsWhatStartsCollapsed) {
  for (const double size : {0.05, 1.0, 40.0})
    for (const SpringLaw law : {SpringLaw::hookean, SpringLaw::stvk}) {
      const double per_length = law == SpringLaw::stvk ? 4 / (size * size) : 1;
      Model model;
      const Mesh sheet = make_sheet({.size = {size, 0.7 * size}, .cells = {3, 2}});
      const double stretch = 2e4 * size * per_length;
      const BodyId cloth = model.add(ClothOptions{.mesh = sheet,
                                                  .grid = {3, 2},
                                                  .law = law,
                                                  .stretch = stretch,
                                                  .shear = 0.4 * stretch,
                                                  .bend = 0.01 * stretch,
                                                  .mass = 70 * size * size * size / 64000});
      model.pin(cloth, select(sheet, BeyondPlane{{-0.49 * size, 0, 0}, {-1, 0, 0}}));
      model.set_gravity({0, -g, 0});
      State state = model.rest_state();
      for (std::size_t i = 0; i < state.x.size(); ++i) state.x[i] *= 2e-4;
      Simulation simulation(std::move(model), std::move(state), {.integrator = "quasi-static", .h = 0.01});
      const StepReport report = simulation.step();
      ASSERT_TRUE(report.ok()) << size << ": " << report.message;
      double reach = 0;
      for (std::size_t i = 0; i < simulation.state().x.size(); ++i)
        reach = std::max(reach, Vec3(simulation.state().x[i]).norm());
      EXPECT_GT(reach, 0.3 * size);
    }
}

}  // namespace brio
