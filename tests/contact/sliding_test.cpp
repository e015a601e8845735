/// Coulomb's friction against closed forms: on inclines, of what spins on a plane, between strips of cloth.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "contact_scenes.h"
#include "testing.h"

/// Its constants have names that others use too.
namespace brio::sliding {
using namespace testing;

namespace {

constexpr double mu = 0.4;
constexpr double thickness = 2e-3;  // [m]

const char* name_of(ColliderLaw law) { return law == ColliderLaw::barrier ? "barrier" : "potential"; }

/// Points joined each to each.
Mesh joined(std::vector<Vec3> points) {
  Mesh mesh;
  const int count = static_cast<int>(points.size());
  for (int a = 0; a < count; ++a)
    for (int b = a + 1; b < count; ++b) mesh.segments.push_back({a, b});
  mesh.vertices = std::move(points);
  return mesh;
}

constexpr double point_mass = 0.01;  // [kg]

/// Where a point rests above a plane: the barrier's force, and that of a spring, is its weight.
double height_of_rest(ColliderLaw law, double k, double weight) {
  if (law == ColliderLaw::potential) return thickness - weight / k;
  double low = 0, high = thickness;
  for (int i = 0; i < 80; ++i) {
    const double d = 0.5 * (low + high), q = thickness / d;
    (0.5 * k * (thickness - d) * q * (1 + q) > weight ? low : high) = d;
  }
  return low;
}

/// Points that lie on the plane y = 0, in balance, under a gravity that leans towards +x by `angle`.
Model lying(const std::vector<Vec3>& points, ColliderLaw law, double angle, double link_stiffness) {
  constexpr double k = 1e4;  // of the plane per point [N/m]
  const double height = height_of_rest(law, k, point_mass * gravity * std::cos(angle));
  Mesh mesh = joined(points);
  for (Vec3& x : mesh.vertices) x.y() = height;
  Model model;
  model.add(ParticlesOptions{.mesh = std::move(mesh), .stiffness = link_stiffness, .mass = point_mass});
  model.set_gravity({gravity * std::sin(angle), -gravity * std::cos(angle), 0});
  add_collider(model, {.shape = PlaneShape{}, .stiffness = k, .friction = mu, .thickness = thickness, .law = law});
  return model;
}

bool is_implicit(const Method& method) {
  return method.dynamic && method.force_evaluations == 0 && method.family != "explicit";
}

void run(Simulation& simulation, int steps) {
  const StepReport report = simulation.step(steps);
  ASSERT_TRUE(report.ok()) << simulation.method().name << ": " << report.message;
}

std::vector<Vec3> square() { return {{0, 0, 0}, {0.1, 0, 0}, {0.1, 0, 0.1}, {0, 0, 0.1}}; }

struct Slip {
  double path = 0;          ///< of the second half [m]
  double acceleration = 0;  ///< in that half [m/s²]
  double loss = 0;          ///< of friction, all of it [J]
  double lost = 0;          ///< mechanical energy [J]
};
Slip slide(const std::string& integrator, ColliderLaw law, double angle) {
  constexpr double h = 1e-3;
  constexpr int steps = 200;
  Simulation simulation(lying(square(), law, angle, 1e3), {.integrator = integrator, .h = h});
  const double total = simulation.ledger().total;
  run(simulation, steps);
  const Vec3 x = center_of_mass(simulation.model(), simulation.state().x);
  const Vec3 v = mean_velocity(simulation.model(), simulation.state().v);
  run(simulation, steps);
  return {.path = (center_of_mass(simulation.model(), simulation.state().x) - x).x(),
          .acceleration = (mean_velocity(simulation.model(), simulation.state().v) - v).x() / (h * steps),
          .loss = simulation.ledger().friction_loss,
          .lost = total - simulation.ledger().total};
}

/// Spins about the y axis for half of the time that friction needs to stop it; returns the loss of angular momentum per
/// time, of what it should be.
double slow_down(const std::string& integrator, ColliderLaw law, const std::vector<Vec3>& points, double torque,
                 const char* what) {
  constexpr double spin = 10, h = 1e-3;  // [rad/s], [s]
  Model model = lying(points, law, 0, 2e3);
  State state = model.rest_state();
  for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] = Vec3(0, spin, 0).cross(Vec3(state.x[i]));
  Simulation simulation(std::move(model), state, {.integrator = integrator, .h = h});
  const LedgerRow start = simulation.ledger();
  const double time = 0.5 * start.angular.y() / torque;
  const int steps = static_cast<int>(std::lround(time / h));
  run(simulation, steps);
  const LedgerRow& end = simulation.ledger();
  const double rate = (start.angular.y() - end.angular.y()) / (h * steps) / torque;
  const double heat = start.total - end.total;
  std::printf("%s, %s, %s: slows down at %.4f of the rate; friction takes %.6f of the energy lost, residual %.1e\n",
              what, integrator.c_str(), name_of(law), rate, end.friction_loss / heat, end.residual / heat);
  return rate;
}

}  // namespace

TEST(Sliding, WhatLiesOnAnInclineSticksBelowTheAngleOfFrictionWithEveryImplicitMethod) {
  for (const ColliderLaw law : {ColliderLaw::barrier, ColliderLaw::potential})
    for (const Method& method : integrators()) {
      if (!is_implicit(method)) continue;
      const Slip slip = slide(method.name, law, 0.95 * std::atan(mu));
      std::printf("%s, %s: creeps by %.1e m\n", method.name.c_str(), name_of(law), slip.path);
      EXPECT_LT(std::abs(slip.path), 1e-5) << method.name;
    }
}

TEST(Sliding, AboveItItSlidesWithCoulombsAccelerationWithEveryImplicitMethod) {
  for (const ColliderLaw law : {ColliderLaw::barrier, ColliderLaw::potential})
    for (const Method& method : integrators()) {
      if (!is_implicit(method)) continue;
      const double angle = 1.5 * std::atan(mu);
      const double expected = gravity * (std::sin(angle) - mu * std::cos(angle));
      const Slip slip = slide(method.name, law, angle);
      std::printf("%s, %s: a = %.5f of %.5f m/s2; friction takes %.6f of the energy lost\n", method.name.c_str(),
                  name_of(law), slip.acceleration, expected, slip.loss / slip.lost);
      EXPECT_NEAR(slip.acceleration, expected, 0.01 * expected) << method.name;
      EXPECT_NEAR(slip.loss, slip.lost, 0.02 * slip.lost) << method.name;
    }
}

TEST(Sliding, ARingThatSpinsLosesAngularMomentumByFrictionTimesItsRadius) {
  constexpr int count = 12;
  constexpr double radius = 0.1;
  std::vector<Vec3> ring;
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * std::numbers::pi * k / count;
    ring.push_back(radius * Vec3(std::cos(angle), 0, std::sin(angle)));
  }
  for (const ColliderLaw law : {ColliderLaw::barrier, ColliderLaw::potential})
    for (const Method& method : integrators()) {
      if (!is_implicit(method) || !method.angular_momentum) continue;
      const double rate = slow_down(method.name, law, ring, mu * count * point_mass * gravity * radius, "ring");
      EXPECT_NEAR(rate, 1, 0.01) << method.name;
    }
}

TEST(Sliding, ADiscLosesTwoThirdsOfThat) {
  constexpr int count = 60;
  constexpr double radius = 0.1;
  std::vector<Vec3> disc;  // each point for the same area
  for (int k = 0; k < count; ++k) {
    const double angle = k * std::numbers::pi * (3 - std::sqrt(5.0));
    disc.push_back(radius * std::sqrt((k + 0.5) / count) * Vec3(std::cos(angle), 0, std::sin(angle)));
  }
  for (const ColliderLaw law : {ColliderLaw::barrier, ColliderLaw::potential}) {
    const double torque = 2.0 / 3 * mu * count * point_mass * gravity * radius;
    EXPECT_NEAR(slow_down("implicit-midpoint", law, disc, torque, "disc"), 1, 0.01);
  }
}

/// A strip slides over another that lies on a smooth plane: both get the same velocity, after the time that μ takes for
/// it, and what that takes of the energy is friction's.
TEST(Sliding, ClothThatSlidesOverClothTakesItAlongAndLosesByFrictionWhatAPlasticImpactDoes) {
  constexpr double m = 0.05, M = 0.1, v = 0.5;  // [kg], [kg], [m/s]
  // Normal forces lag by a step, and points meet edges all the time: of 0.5 ms, four times that, halfway strays by 13
  // %.
  constexpr double h = 1.25e-4;  // [s]
  for (const char* integrator : {"avf", "backward-euler"}) {
    Model model;
    const auto strip = [&](const Vec3& at, std::array<int, 2> cells, double mass) {
      const Mesh sheet = make_sheet({.size = {0.02 * cells[0], 0.02 * cells[1]}, .cells = {cells[0], cells[1]}});
      return model.add(ClothOptions{
          .mesh = moved(sheet, Mat3::Identity(), at), .stretch = 500, .shear = 500, .bend = 100, .mass = mass});
    };
    const BodyId lower = strip({0, 0, 0}, {15, 6}, M);
    const BodyId upper = strip({0.007, 0.997 * thickness, 0.006}, {9, 4}, m);
    model.set_gravity({0, -gravity, 0});
    add_collider(model, {.shape = PlaneShape{}, .bodies = {lower}, .stiffness = 1e4});
    add_self_contact(model, {.thickness = thickness, .stiffness = 1e3, .friction = mu, .self = false});
    State state = model.rest_state();
    const int first = model.body(upper).first_vertex;
    for (std::size_t i = first; i < model.vertices(); ++i) state.v[i] = Vec3(v, 0, 0);
    Simulation simulation(std::move(model), state, {.integrator = integrator, .h = h});
    const double time = v / (mu * gravity * (1 + m / M));
    const LedgerRow start = simulation.ledger();
    const auto relative = [&] {
      double p = 0;
      for (std::size_t i = first; i < simulation.model().vertices(); ++i)
        p += simulation.model().mass()[i] * simulation.state().v[i].x();
      return p / m - (simulation.ledger().linear.x() - p) / M;
    };
    run(simulation, static_cast<int>(std::lround(0.5 * time / h)));
    const double halfway = relative() / v;
    run(simulation, static_cast<int>(std::lround(time / h)));
    const LedgerRow& end = simulation.ledger();
    const double heat = 0.5 * m * M / (m + M) * v * v;
    std::printf("cloth on cloth, %s: v = %.4f halfway, %.1e at last; friction takes %.4f of it, residual %.1e\n",
                integrator, halfway, relative() / v, end.friction_loss / heat, end.residual / heat);
    EXPECT_NEAR(halfway, 0.5, 0.02) << integrator;
    EXPECT_NEAR(relative(), 0, 0.02 * v) << integrator;
    EXPECT_NEAR(end.friction_loss, heat, 0.03 * heat) << integrator;
    EXPECT_NEAR(end.linear.x(), start.linear.x(), 1e-10 * start.linear.x()) << integrator;
  }
}

/// Two triangles of one body: the smaller one slides on the larger one, which is pinned.
TEST(Sliding, ABodyRubsOnItselfAsCoulombSays) {
  constexpr double v = 0.3, k = 1e4, h = 5e-4, size = 0.02;  // [m/s], [N/m], [s], [m]
  const auto corner = [](double radius, int i, const Vec3& at) {
    const double angle = 2 * std::numbers::pi * i / 3;
    return Vec3(at + radius * Vec3(std::sin(angle), 0, std::cos(angle)));
  };
  for (const char* integrator : {"avf", "discrete-gradient", "backward-euler"}) {
    Mesh mesh;
    for (int i = 0; i < 3; ++i) mesh.vertices.push_back(corner(1, i, Vec3::Zero()));
    // At rest they are apart: what touches at rest does not repel itself.
    for (int i = 0; i < 3; ++i) mesh.vertices.push_back(corner(size, i, {0.1, 0.05, 0.05}));
    mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
    Model model;
    const BodyId body = model.add(ClothOptions{.mesh = mesh, .stretch = 1e3, .mass = 50});
    model.pin(body, std::vector<int>{0, 1, 2});
    model.set_gravity({0, -gravity, 0});
    const double point = model.mass()[3];
    add_self_contact(model, {.thickness = thickness, .stiffness = k, .friction = mu, .self = true, .between = false});
    State state = model.rest_state();
    for (std::size_t i = 3; i < 6; ++i) {
      state.x[i].y() = height_of_rest(ColliderLaw::barrier, k, point * gravity);
      state.v[i] = Vec3(v, 0, 0);
    }
    Simulation simulation(std::move(model), state, {.integrator = integrator, .h = h});
    const double time = v / (mu * gravity), start = simulation.state().x[3].x();
    run(simulation, static_cast<int>(std::lround(0.5 * time / h)));
    const double halfway = simulation.state().v[3].x() / v;
    run(simulation, static_cast<int>(std::lround(1.5 * time / h)));
    const double way = (simulation.state().x[3].x() - start) / (0.5 * v * time);
    const double heat = simulation.ledger().friction_loss / (1.5 * point * v * v);
    std::printf("on itself, %s: v = %.5f halfway, way %.5f, friction takes %.5f of it, residual %.1e J\n", integrator,
                halfway, way, heat, simulation.ledger().residual);
    EXPECT_NEAR(halfway, 0.5, 0.01) << integrator;
    EXPECT_NEAR(way, 1, 0.02) << integrator;
    EXPECT_NEAR(heat, 1, 0.01) << integrator;
    EXPECT_NEAR(simulation.state().v[3].x(), 0, 0.01 * v) << integrator;
  }
}

}  // namespace brio::sliding
