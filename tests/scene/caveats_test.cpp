/// Combinations that are allowed but cost something are told.
#include "scene/caveats.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "scene/testing.h"

namespace brio {

using testing::SceneFile;

namespace {

std::string stretched_cube(const std::string& material, const std::string& integrator, double h) {
  return fmt::format(
      "gravity = [0, 0, 0]\n[integrator]\n{}\n[time]\nh = {}\n[[body]]\nname = 'cube'\nmass = 1\n"
      "mesh = {{ generate = 'cube', cells = 1 }}\nmaterial = {{ name = '{}', young = 100, poisson = 0.3 }}\n"
      "deform = [{{ select = {{ plane = [[0, 0.4, 0], [0, 1, 0]] }}, translate = [0.2, 0.3, 0] }}]\n",
      integrator, h, material);
}

const std::string simpson = "name = 'avf'\nquadrature = 'simpson'";

}  // namespace

TEST_F(SceneFile, SimpsonWithNeoHookeanIsAllowedAndItsCostIsTold) {
  const Scene scene = load(stretched_cube("neo-hookean", simpson, 0.01));
  ASSERT_EQ(scene.warnings.size(), 1U);
  EXPECT_EQ(scene.warnings[0],
            "integrator.quadrature \"simpson\" averages forces up to degree 3 exactly, those of solid 'cube' "
            "(neo-hookean) are no polynomials of x: energy errs by some h^4 instead of being kept to the solver's "
            "tolerance. \"adaptive\" keeps it, with three evaluations per iteration, and more where motion is violent");
}

TEST_F(SceneFile, WhatARuleCostsDependsOnTheMaterial) {
  EXPECT_TRUE(load(stretched_cube("stvk", simpson, 0.01)).warnings.empty());
  EXPECT_TRUE(load(stretched_cube("stable-neo-hookean", "name = 'avf'", 0.01)).warnings.empty());
  EXPECT_TRUE(load(stretched_cube("neo-hookean", "name = 'implicit-midpoint'", 0.01)).warnings.empty());
  const std::vector<std::string> quintic = load(stretched_cube("stable-neo-hookean", simpson, 0.01)).warnings;
  ASSERT_EQ(quintic.size(), 1U);
  EXPECT_NE(quintic[0].find("are of degree 5 in x"), std::string::npos) << quintic[0];
  EXPECT_NE(quintic[0].find("\"gauss3\" keeps it exactly, with 3 evaluations"), std::string::npos) << quintic[0];
  EXPECT_TRUE(load(stretched_cube("corotated", "name = 'avf'", 0.01)).warnings.empty());
}

TEST_F(SceneFile, AvfWithASolverThatStopsShortIsTold) {
  const std::string scene = stretched_cube("corotated", "name = 'avf'", 0.01) + "[solver]\nname = 'local-global'\n";
  ASSERT_EQ(load(scene).warnings.size(), 1U);
  EXPECT_NE(load(scene).warnings[0].find("as far as its solver converges"), std::string::npos);
}

TEST_F(SceneFile, ExplicitStepsThatWillExplodeAreToldAndOthersAreNot) {
  for (const Method& method : integrators()) {
    const auto told = [&](double h) {
      return load(stretched_cube("stvk", "name = '" + method.name + "'", h)).warnings;
    };
    const Scene scene = load(stretched_cube("stvk", "name = '" + method.name + "'", 1e-3));
    const Simulation& start = scene.simulation;
    const double longest = max_stable_step(start.method(), {}, start.model(), start.state().x);
    if (method.family != "explicit" || longest == 0) {
      EXPECT_TRUE(told(0.5).empty()) << method.name;
      continue;
    }
    ASSERT_TRUE(std::isfinite(longest)) << method.name;
    EXPECT_TRUE(told(0.95 * longest).empty()) << method.name;
    const auto warnings = told(1.05 * longest);
    ASSERT_EQ(warnings.size(), 1U) << method.name;
    EXPECT_NE(warnings[0].find("is more than " + method.name + " bears here"), std::string::npos) << warnings[0];
  }
}

TEST_F(SceneFile, ASolverForAMethodThatSolvesNothingIsTold) {
  const std::string solver = "[solver]\ntolerance = 1e-6\n";
  const auto warnings = load(stretched_cube("stvk", "name = 'verlet'", 1e-3) + solver).warnings;
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("[solver] has no effect: verlet is explicit"), std::string::npos) << warnings[0];
  EXPECT_TRUE(load(stretched_cube("stvk", "name = 'backward-euler'", 1e-3) + solver).warnings.empty());
}

TEST_F(SceneFile, EnergyErrsByThePowerThatTheWarningTells) {
  const auto error = [&](const std::string& integrator, double h) {
    Scene scene = load(stretched_cube("neo-hookean", integrator, h));
    double worst = 0;
    for (double time = 0; time < 0.399; time += h) {
      EXPECT_TRUE(scene.simulation.step().ok());
      worst = std::max(worst, std::abs(scene.simulation.ledger().residual));
    }
    return worst / scene.simulation.ledger().total;
  };
  EXPECT_NEAR(std::log2(error(simpson, 0.02) / error(simpson, 0.01)), 4, 0.4);
  EXPECT_LT(error("name = 'avf'\nquadrature = 'gauss5'", 0.02), 1e-3 * error(simpson, 0.02));
}

TEST_F(SceneFile, RestitutionIsToldWhereItIsNoBound) {
  const auto warnings = [&](const std::string& integrator, double e) {
    return load(stretched_cube("stvk", "name = '" + integrator + "'", 1e-3) +
                fmt::format("[contact]\nthickness = 0.01\nrestitution = {}\n", e))
        .warnings;
  };
  for (const Method& method : integrators()) {
    if (method.bounds_restitution) continue;
    const std::string& integrator = method.name;
    ASSERT_EQ(warnings(integrator, 0.5).size(), 1U) << integrator;
    EXPECT_NE(warnings(integrator, 0.5)[0].find("no bound with " + integrator), std::string::npos);
    EXPECT_TRUE(warnings(integrator, 1).empty()) << integrator;
  }
  for (const std::string integrator : {"avf", "stabilized", "backward-euler"})
    EXPECT_TRUE(warnings(integrator, 0.5).empty()) << integrator;
}

TEST(Caveats, TellOfALargeMeshWhoseVerticesAreNumberedAtRandom) {
  Mesh mesh = make_bar({.cells = {40, 12, 12}});
  const auto warnings = [&mesh] {
    Model model;
    model.add(SolidOptions{.name = "bar", .mesh = mesh});
    return caveats(model, model.rest_state(), {.integrator = "backward-euler"});
  };
  EXPECT_TRUE(warnings().empty());
  const auto n = static_cast<int>(mesh.vertices.size());
  constexpr int stride = 2503;  // a prime that does not divide n: every vertex gets a number of its own
  const std::vector<Vec3> before = mesh.vertices;
  for (int i = 0; i < n; ++i) mesh.vertices[i * stride % n] = before[i];
  for (Tet& tet : mesh.tets)
    for (int& v : tet) v = v * stride % n;
  ASSERT_EQ(warnings().size(), 1U);
  EXPECT_NE(warnings()[0].find("bar: only "), std::string::npos) << warnings()[0];
}

}  // namespace brio
