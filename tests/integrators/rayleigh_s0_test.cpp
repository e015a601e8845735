/// Rayleigh's damping as [Rojas et al. 2018, eq. 13–16] has it.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "brio/sim.h"
#include "integrators/rayleigh_damping.h"
#include "integrators/testing.h"
#include "math/block_matrix.h"

namespace brio {
namespace {

Model one_mass(double stiffness, const Damping& damping) {
  Mesh mesh;
  mesh.vertices = {Vec3::Zero()};
  Model model;
  const BodyId body = model.add(ParticlesOptions{.mesh = mesh, .mass = 2});
  if (stiffness > 0) model.attach(body, {{.vertex = 0, .point = Vec3::Zero(), .stiffness = stiffness}});
  model.set_damping(damping);
  return model;
}

Model damped_cube(const Damping& damping) {
  Model model;
  model.add(
      SolidOptions{.mesh = make_cube({.cells = 2}), .material = {.name = "stvk", .mu = 3e3, .lambda = 2e3}, .mass = 2});
  model.set_damping(damping);
  return model;
}

std::vector<Method> methods_that_know_it() {
  std::vector<Method> list;
  for (const Method& method : integrators())
    if (method.rayleigh_s0) list.push_back(method);
  return list;
}

Simulation simulation_of(Model model, State state, const Method& method, double h) {
  return {std::move(model),
          std::move(state),
          {.integrator = method.name, .h = h, .options = {.solver = {.tolerance = 1e-12}}}};
}

}  // namespace

/// v' = v − hη v', whatever the method: the force is that of the end.
TEST(RayleighS0, AFirstStepOfAFreeMassIsDividedByOnePlusEtaH) {
  for (const Method& method : methods_that_know_it()) {
    Model model = one_mass(0, {.s0_mass = 3});
    State state = model.rest_state();
    state.v[0] = Vec3(4, 0, 0);
    Simulation simulation = simulation_of(std::move(model), std::move(state), method, 0.1);
    ASSERT_TRUE(simulation.step().ok()) << method.name;
    EXPECT_NEAR(simulation.state().v[0][0], 4 / 1.3, 1e-12) << method.name;
  }
}

/// x'' = −ω²x − (η + δω²)x' from rest at 0.1 m.
TEST(RayleighS0, ConvergesToTheDecayOfTheDampedOscillator) {
  constexpr double k = 50, m = 2, eta = 0.4, delta = 0.03, amplitude = 0.1, time = 1.3;
  const double decay = (eta + delta * k / m) / 2;
  const double omega = std::sqrt(k / m - decay * decay);
  const double exact =
      amplitude * std::exp(-decay * time) * (std::cos(omega * time) + decay / omega * std::sin(omega * time));
  for (const Method& method : methods_that_know_it()) {
    const auto error = [&](int steps) {
      Model model = one_mass(k, {.s0_mass = eta, .s0_stiffness = delta});
      State state = model.rest_state();
      state.x[0][0] = amplitude;
      Simulation simulation = simulation_of(std::move(model), std::move(state), method, time / steps);
      EXPECT_TRUE(simulation.step(steps).ok()) << method.name;
      return std::abs(simulation.state().x[0][0] - exact);
    };
    const double order = std::log2(error(1000) / error(2000));
    EXPECT_NEAR(order, method.name == "bdf2" ? 2 : 1, 0.1) << method.name;  // the others take −Dv' for the whole step
    EXPECT_LT(error(2000), 6e-3 * amplitude) << method.name;
  }
}

TEST(RayleighS0, TakesEnergyAwayFromEveryStartAndTheLedgerCountsIt) {
  for (const Method& method : methods_that_know_it())
    for (const double squeeze : {1.1, 0.5, -0.6}) {  // the Hessian is indefinite in the latter two
      Model model = damped_cube({.s0_mass = 0.2, .s0_stiffness = 0.01});
      State state = testing::tumbling(model);
      for (std::size_t i = 0; i < state.x.size(); ++i) state.x[i][1] *= squeeze;
      Simulation simulation = simulation_of(std::move(model), std::move(state), method, 2e-3);
      const double start = simulation.ledger().total;
      double loss = 0;
      for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(simulation.step().ok()) << method.name;
        if (method.name == "backward-euler") {
          EXPECT_GE(simulation.ledger().damping_loss, loss);  // h |v'|²_D
        }
        loss = simulation.ledger().damping_loss;
      }
      EXPECT_LT(simulation.ledger().total, 0.9 * start) << method.name << ' ' << squeeze;
      EXPECT_GT(loss, 0.05 * start) << method.name << ' ' << squeeze;
      if (method.energy == EnergyBehavior::kept) {
        EXPECT_NEAR(simulation.ledger().total + loss, start, 1e-9 * start) << method.name << ' ' << squeeze;
      }
    }
}

TEST(RayleighS0, DerivativesAreThoseOfTheQuadraticAndNowhereNegative) {
  const Model model = damped_cube({.s0_mass = 0.2, .s0_stiffness = 0.01});
  NodalField x_n = testing::tumbling(model).x;
  for (std::size_t i = 0; i < x_n.size(); ++i) x_n[i][1] *= -0.6;
  RayleighDamping damping;
  damping.prepare(model);
  damping.begin(x_n);
  damping.set_velocity(2, [&](std::size_t i) -> Vec3 { return x_n[i] + Vec3(0.01, 0.02, -0.01); });
  NodalField x = x_n;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += 0.01 * static_cast<double>(i % 5) * Vec3(1, -1, 0.5);
  NodalField g(x.size()), unused(x.size());
  damping.gradient(x, {}, g);
  BlockMatrix H(model.pattern());
  damping.hessian(x, {}, Projection::none, unused, H);
  const Eigen::MatrixXd D = Eigen::MatrixXd(to_eigen(H)).selfadjointView<Eigen::Lower>();
  EXPECT_GT(D.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), 0);  // η holds what K does not
  for (const std::size_t i : {0u, 7u, 20u})
    for (int c = 0; c < 3; ++c) {
      constexpr double apart = 1e-3;
      NodalField before = x, after = x, g_before(x.size()), g_after(x.size());
      before[i][c] -= apart;
      after[i][c] += apart;
      const double slope =
          (damping.gradient(after, {}, g_after) - damping.gradient(before, {}, g_before)) / (2 * apart);
      EXPECT_NEAR(g[i][c], slope, 1e-9 * D.norm());
      for (std::size_t j = 0; j < x.size(); ++j)
        for (int b = 0; b < 3; ++b)
          EXPECT_NEAR(D(3 * static_cast<Eigen::Index>(j) + b, 3 * static_cast<Eigen::Index>(i) + c),
                      (g_after[j][b] - g_before[j][b]) / (2 * apart), 1e-9 * D.norm());
    }
  // What is declared of a step: D v' with v' = 2 (x' − still)/h.
  NodalField force(x.size());
  damping.force(x, 0.1, force);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_LT((force[i] - 20 * g[i]).norm(), 1e-12 * D.norm());
}

TEST(RayleighS0, MethodsThatDoNotKnowItRefuseItAndNameThoseThatDo) {
  int refused = 0;
  for (const Method& method : integrators()) {
    if (method.rayleigh_s0) continue;
    try {
      make_integrator(method, {}, damped_cube({.s0_stiffness = 0.01}));
      ADD_FAILURE() << method.name;
    } catch (const InputError& error) {
      EXPECT_EQ(error.complaint().value, "rayleigh-s0");
      EXPECT_NE(error.complaint().advice.find("backward-euler"), std::string::npos);
      ++refused;
    }
  }
  EXPECT_GT(refused, 10);
  Simulation simulation(damped_cube({}), {.integrator = "verlet", .h = 1e-4});
  EXPECT_THROW(simulation.set_damping({.s0_mass = 1}), InputError);
  EXPECT_NO_THROW(simulation.set_damping({.strain = 0.01}));
}

}  // namespace brio
