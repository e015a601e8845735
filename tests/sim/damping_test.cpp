/// Damping as a physical contract: what it may not touch, what it must take away, and that its joules are counted.
#include <gtest/gtest.h>

#include <cmath>

#include "brio/contact.h"
#include "brio/sim.h"
#include "integrators/testing.h"

namespace brio {
namespace {

constexpr double soft_mu = 3e3, soft_lambda = 2e3;  // [Pa]

Model jelly(const Damping& damping) {
  Model model;
  model.add(SolidOptions{.mesh = make_bar({.size = {1, 0.5, 0.5}, .cells = {3, 2, 2}}),
                         .material = {.name = "stvk", .mu = soft_mu, .lambda = soft_lambda},
                         .mass = 2});
  model.set_damping(damping);
  return model;
}

/// Of every kind that may not touch rigid motion.
const std::vector<std::pair<const char*, Damping>>& dampings() {
  static const std::vector<std::pair<const char*, Damping>> all{
      {"strain", {.strain = 0.01}}, {"relative", {.relative = 2}}, {"per_step", {.per_step = 0.01}}};
  return all;
}

/// Energy that is left after one second from the same deformed shape.
double left_after(const Damping& damping, const std::string& integrator, double h, LedgerRow* row = nullptr) {
  Model model = jelly(damping);
  State state = testing::tumbling(model);
  Simulation simulation(std::move(model), std::move(state),
                        {.integrator = integrator, .h = h, .options = {.solver = {.tolerance = 1e-12}}});
  EXPECT_TRUE(simulation.step(static_cast<int>(std::lround(1 / h))).ok());
  if (row != nullptr) *row = simulation.ledger();
  return simulation.ledger().total;
}

}  // namespace

TEST(Damping, LeavesTheAccelerationOfFreeFallAloneAtShortAndLongSteps) {
  const Vec3 g(0.5, -9.81, 1);
  for (const auto& [name, damping] : dampings()) {
    for (const Method& method : integrators()) {
      if (!method.dynamic) continue;
      for (const double h : {2e-3, 1.0 / 60}) {
        const bool is_explicit = method.family == "explicit";
        if (is_explicit && h > 2e-3) continue;
        Model model = jelly(damping);
        model.set_gravity(g);
        State state = testing::tumbling(model);
        const Vec3 start = model.linear_momentum(state.v);
        double mass = 0;
        for (const double m : model.mass()) mass += m;
        const double step = is_explicit ? 2e-4 : h;
        Simulation simulation(std::move(model), std::move(state),
                              {.integrator = method.name, .h = step, .options = {.solver = {.tolerance = 1e-13}}});
        const StepReport report = simulation.step(50);
        ASSERT_TRUE(report.ok()) << name << ", " << method.name << ": " << report.message;
        const Vec3 wanted = start + mass * g * 50 * step;
        EXPECT_LT((simulation.ledger().linear - wanted).norm(), 1e-11 * wanted.norm())
            << name << ", " << method.name << ", " << h;
      }
    }
  }
}

TEST(Damping, LeavesSpinAlone) {
  for (const auto& [name, damping] : dampings()) {
    for (const Method& method : integrators()) {
      if (!method.angular_momentum || method.family == "explicit") continue;
      LedgerRow row;
      left_after(damping, method.name, 0.01, &row);
      Model model = jelly({});
      const State start = testing::tumbling(model);
      const Vec3 wanted = model.angular_momentum(start.x, start.v);
      EXPECT_LT((row.angular - wanted).norm(), 1e-9 * wanted.norm()) << name << ", " << method.name;
    }
  }
}

TEST(Damping, TakesEnergyAwayAndTheLedgerCountsEveryJouleOfIt) {
  for (const auto& [name, damping] : dampings()) {
    LedgerRow row;
    const double undamped = left_after({}, "avf", 0.01);
    const double left = left_after(damping, "avf", 0.01, &row);
    EXPECT_LT(left, 0.95 * undamped) << name;
    EXPECT_GT(row.damping_loss, 0) << name;
    EXPECT_LT(std::abs(row.residual), 1e-9 * undamped) << name;
  }
}

TEST(Damping, ConvergesWithTheStepExceptWhereItIsStatedPerStep) {
  const auto loss = [](const Damping& damping, const std::string& integrator, double h) {
    LedgerRow row;
    left_after(damping, integrator, h, &row);
    return row.damping_loss;
  };
  for (const auto& [integrator, h] : {std::pair{"implicit-midpoint", 4e-3}, std::pair{"symplectic-euler", 8e-4}})
    for (const Damping& damping : {Damping{.strain = 1e-3}, Damping{.relative = 1}, Damping{.drag = 0.02}}) {
      const double coarse = loss(damping, integrator, h);
      const double middle = loss(damping, integrator, h / 2);
      const double fine = loss(damping, integrator, h / 4);
      EXPECT_LT(std::abs(middle - fine), 0.6 * std::abs(coarse - middle) + 1e-3 * fine)
          << integrator << " " << damping.strain << " " << damping.relative << " " << damping.drag;
    }
  // One thousandth per step is twice as much per second at half the step.
  EXPECT_GT(loss({.per_step = 1e-3}, "implicit-midpoint", 2e-3),
            1.5 * loss({.per_step = 1e-3}, "implicit-midpoint", 4e-3));
}

TEST(Damping, OfStrainIsRayleighsRateOfDecay) {
  // A mass on a spring k: x'' = -ω²x - δω²x', whose amplitude falls as exp(-δω²t/2).
  constexpr double k = 100, delta = 2e-3, h = 1e-3;
  const double omega = std::sqrt(k);
  for (const Method& method : integrators()) {
    if (method.energy == EnergyBehavior::grows || method.energy == EnergyBehavior::decays) continue;
    if (method.name == "stabilized") continue;  // within its epsilon only
    Model model = testing::mass_on_spring(SpringLaw::hookean, k, 1);
    model.set_damping({.strain = delta});
    State state = testing::pulled(model, 0.01, 0);
    const double start = model.elastic_energy(BodyId(0), state.x);
    Simulation simulation(std::move(model), std::move(state), {.integrator = method.name, .h = h});
    const StepReport report = simulation.step(5000);
    ASSERT_TRUE(report.ok()) << method.name << report.message;
    const double rate = -std::log(simulation.ledger().total / start) / 5;
    EXPECT_NEAR(rate, delta * omega * omega, 0.02 * delta * omega * omega) << method.name;
    EXPECT_NEAR(simulation.ledger().damping_loss, start - simulation.ledger().total, 0.02 * start) << method.name;
  }
}

TEST(Damping, DragSlowsAFreeParticleExponentially) {
  for (const double h : {0.1, 0.01}) {
    Model model;
    Mesh mesh;
    mesh.vertices = {Vec3::Zero()};
    model.add(ParticlesOptions{.mesh = mesh, .mass = 2});
    model.set_damping({.drag = 3});
    State state = model.rest_state();
    state.v[0] = Vec3(4, 0, 0);
    Simulation simulation(std::move(model), std::move(state), {.h = h});
    ASSERT_TRUE(simulation.step(static_cast<int>(std::lround(1 / h))).ok());
    EXPECT_NEAR(simulation.state().v[0][0], 4 * std::exp(-1.5), 1e-12);
    EXPECT_NEAR(simulation.ledger().damping_loss, 16 - 16 * std::exp(-3), 1e-12);
  }
}

/// Drag 2 kg/s on 1 kg leaves e⁻² of the speed after a second: exactly where a step is one step, and with methods of
/// several steps, whose history is of velocities before drag, ever better with h.
TEST(Damping, DragOnAFreeMassIsThatOfEveryMethod) {
  for (const Method& method : integrators()) {
    if (!method.dynamic) continue;
    const auto error = [&](int steps) {
      Model model;
      Mesh mesh;
      mesh.vertices = {Vec3::Zero()};
      model.add(ParticlesOptions{.mesh = mesh, .mass = 1});
      model.set_damping({.drag = 2});
      State state = model.rest_state();
      state.v[0] = Vec3(1, 0, 0);
      Simulation simulation(std::move(model), std::move(state), {.integrator = method.name, .h = 1.0 / steps});
      EXPECT_TRUE(simulation.step(steps).ok()) << method.name;
      return std::abs(simulation.state().v[0][0] - std::exp(-2.0));
    };
    constexpr double rounding = 1e-11;
    const double coarse = error(100), fine = error(200);
    EXPECT_LT(coarse, 0.005) << method.name;
    EXPECT_LT(fine, 0.55 * coarse + rounding) << method.name;
  }
}

TEST(Damping, OfALineOfPointsIsFinite) {
  Model model;
  model.add(ParticlesOptions{.mesh = make_line({.segments = 4}), .stiffness = 100, .mass = 0.1});
  model.set_damping({.relative = 3});
  State state = model.rest_state();
  for (std::size_t i = 0; i < 5; ++i) state.v[i] = Vec3(0, static_cast<double>(i), 0.1);
  const Vec3 spin = model.angular_momentum(state.x, state.v);
  Simulation simulation(std::move(model), std::move(state), {.integrator = "implicit-midpoint", .h = 0.01});
  ASSERT_TRUE(simulation.step(20).ok());
  EXPECT_LT((simulation.ledger().angular - spin).norm(), 1e-9 * spin.norm());
}

TEST(Damping, HalfLifeIsWhatItSaysAtAnyStep) {
  constexpr double half_life = 0.5;
  for (const double h : {1.0 / 240, 1.0 / 60, 1.0 / 30}) {
    Model model = jelly({});
    State state = testing::tumbling(model);
    for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i].setZero();
    Simulation simulation(std::move(model), std::move(state),
                          {.integrator = "stabilized", .h = h, .options = {.half_life = half_life}});
    const double start = simulation.ledger().total;
    ASSERT_TRUE(simulation.step(static_cast<int>(std::lround(2 / h))).ok());
    const double measured = 2 / std::log2(start / simulation.ledger().total);
    EXPECT_NEAR(measured, half_life, 0.02 * half_life) << h;
    EXPECT_LT(std::abs(simulation.ledger().residual), 0.011 * start);
  }
}

/// Contact whose force is the mean along the step does the work by which its energy changes, springs that stay straight
/// are linear: only what damping takes is left, however suddenly the ground stops what is damped.
TEST(Damping, AddsNothingToWhatLandsOnSomethingStiff) {
  for (const char* integrator : {"avf", "variational"})
    for (const double strain : {1e-3, 1e-2, 0.1})
      for (const double stiffness : {10.0, 1e3, 1e5}) {
        Mesh chain;
        for (int i = 0; i < 6; ++i) chain.vertices.emplace_back(0, 1 + i, 0);
        for (int i = 0; i < 5; ++i) chain.segments.push_back({i, i + 1});
        Model model;
        model.add(ParticlesOptions{.mesh = chain, .stiffness = 3000, .mass = 0.1});
        model.set_gravity({0, -9.81, 0});
        model.set_damping({.strain = strain});
        add_collider(model, {.stiffness = stiffness});
        Simulation simulation(std::move(model),
                              {.integrator = integrator, .h = 0.01, .options = {.solver = {.tolerance = 1e-12}}});
        const double start = simulation.ledger().total;
        double before = start, most = 0;
        for (int step = 0; step < 200; ++step) {
          ASSERT_TRUE(simulation.step().ok());
          most = std::max(most, simulation.ledger().total - before);
          before = simulation.ledger().total;
        }
        EXPECT_LT(most, 1e-9 * start) << integrator << ", " << strain << " s, " << stiffness << " N/m";
        EXPECT_LT(std::abs(simulation.ledger().residual), 1e-8 * start) << integrator;
        EXPECT_GT(simulation.ledger().damping_loss, 0) << integrator;
      }
}

TEST(Damping, SetClearedAndSetAgainActsOnce) {
  for (const Damping& damping : {Damping{.relative = 2}, Damping{.per_step = 0.01}, Damping{.drag = 0.1}}) {
    Model once = jelly(damping);
    Model again = jelly(damping);
    again.set_damping({});
    again.set_damping(damping);
    const auto left = [](Model model) {
      State state = testing::tumbling(model);
      Simulation simulation(std::move(model), std::move(state), {.integrator = "verlet", .h = 2e-4});
      EXPECT_TRUE(simulation.step(100).ok());
      return simulation.ledger().total;
    };
    EXPECT_EQ(left(std::move(once)), left(std::move(again)));
  }
}

TEST(Damping, OfStrainIsRefusedByMethodsWhoseStepsRunBackwards) {
  for (const int order : {4, 6}) {
    const SimulationOptions options{.integrator = "variational", .h = 1e-3, .options = {.order = order}};
    EXPECT_NO_THROW(Simulation(jelly({}), options));
    EXPECT_NO_THROW(Simulation(jelly({.relative = 1}), options));
    try {
      const Simulation simulation(jelly({.strain = 0.01}), options);
      ADD_FAILURE() << "order " << order;
    } catch (const InputError& error) {
      EXPECT_EQ(error.complaint().key, "damping.strain");
      EXPECT_NE(error.complaint().advice.find("order = 2"), std::string::npos);
    }
  }
}

}  // namespace brio
