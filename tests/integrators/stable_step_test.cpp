#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <map>

#include "brio/contact.h"
#include "brio/energy.h"
#include "brio/sim.h"
#include "experiments/problems.h"
#include "math/block_matrix.h"

namespace brio {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Largest eigenvalue of M^-1/2 K M^-1/2 over the free vertices, by a dense solver.
double dense_frequency(const Model& model, const NodalField& x) {
  BlockMatrix H(model.pattern());
  H.set_zero();
  NodalField g(model.vertices());
  for (const auto& energy : model.energies()) energy->hessian(x, {}, Projection::none, g, H);
  Eigen::MatrixXd K(to_eigen(H));
  for (Eigen::Index i = 0; i < K.rows(); ++i) {
    const double scale = model.pinned()[i / 3] != 0 ? 0 : 1 / std::sqrt(model.mass()[i / 3]);
    K.row(i) *= scale;
    K.col(i) *= scale;
  }
  return std::sqrt(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(K).eigenvalues().maxCoeff());
}

}  // namespace

TEST(StableStep, HighestFrequencyIsThatOfADenseSolver) {
  Model model;
  const BodyId bar = model.add(SolidOptions{.mesh = make_bar({.cells = {5, 2, 2}}), .material = {.name = "stvk"}});
  model.pin(bar, std::vector<int>{0, 5, 7});
  NodalField x = model.rest();
  EXPECT_NEAR(highest_frequency(model, x) / dense_frequency(model, x), 1, 1e-5);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= 0.7;  // so compressed that the largest curvature is negative
  EXPECT_NEAR(highest_frequency(model, x) / dense_frequency(model, x), 1, 1e-5);
}

TEST(StableStep, NothingOscillatesWithoutEnergy) {
  Mesh mesh;
  mesh.vertices = {Vec3::Zero()};
  Model model;
  model.add(ParticlesOptions{.mesh = mesh});
  EXPECT_EQ(highest_frequency(model, model.rest()), 0);
  EXPECT_EQ(max_stable_step(find_integrator("verlet"), {}, model, model.rest()), infinity);
}

TEST(StableStep, LimitsOfExplicitMethodsAreThoseOfTheory) {
  const std::map<std::string, double> known{
      {"explicit-euler", 0},
      {"midpoint", 0},
      {"half-step", 0},
      {"symplectic-euler", 2},
      {"modified-half-step", 2},
      {"symplectic-midpoint", 2},
      {"verlet", 2},
      {"leapfrog", 2},
      {"stormer-verlet", 2},
      {"forest-ruth", 1.573401947},  // of the Chebyshev-like polynomial of its trace
      {"rk4", 2 * std::sqrt(2.0)},
  };
  for (const auto& [name, limit] : known) EXPECT_NEAR(stability_limit(find_integrator(name)), limit, 1e-6) << name;
  EXPECT_GT(stability_limit(find_integrator("pefrl")), 2.9);
}

TEST(StableStep, IsTheLimitOverTheHighestFrequency) {
  const Problem problem = oscillator();
  for (const std::string name : {"symplectic-euler", "rk4"}) {
    const Method& method = find_integrator(name);
    const double h = max_stable_step(method, {}, problem.model, problem.start.x);
    EXPECT_NEAR(h, stability_limit(method) / 2, 1e-5) << "omega is 2 rad/s";
  }
}

TEST(StableStep, HighestFrequencyKnowsWhatContactCouples) {
  Model model;
  const Mesh cube = make_cube({.size = 0.2, .cells = 1});
  for (int b = 0; b < 2; ++b) model.add(SolidOptions{.mesh = cube, .material = {.name = "stvk", .mu = 1e3}});
  add_self_contact(model, {.thickness = 0.02, .stiffness = 1e4});
  State state = model.rest_state();
  for (std::size_t i = model.vertices() / 2; i < model.vertices(); ++i) state.x[i] += Vec3(0.03, 0.21, 0.02);
  const Simulation simulation(std::move(model), state, {.integrator = "verlet", .h = 1e-5});
  const double dense = dense_frequency(simulation.model(), state.x);
  EXPECT_NEAR(highest_frequency(simulation.model(), state.x) / dense, 1, 1e-4);
}

}  // namespace brio
