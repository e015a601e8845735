/// Constraints are kept, and what they carry moves as it should.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "brio/integrators.h"
#include "experiments/elliptic.h"
#include "model/constraints.h"

namespace brio {
namespace {

using Kind = Constraint::Kind;

Model particles(std::vector<Vec3> places, std::vector<Segment> springs = {}) {
  Mesh mesh;
  mesh.vertices = std::move(places);
  mesh.segments = std::move(springs);
  Model model;
  model.add(ParticlesOptions{.mesh = mesh, .stiffness = 50});
  return model;
}

/// max |g| in units of the lengths that enter it, and how fast g changes along v.
struct Kept {
  double position;
  double velocity;
};
Kept kept(const Model& model, const State& state) {
  const ConstraintSet set(model);
  Eigen::VectorXd g(set.equations());
  set.evaluate(state.x, g);
  const double position = g.lpNorm<Eigen::Infinity>() / set.scale(state.x);
  ConstraintJacobian J(set.equations());
  set.jacobian(state.x, J);
  J.multiply(state.v, g);
  return {position, g.lpNorm<Eigen::Infinity>()};
}

/// Runs; every step must succeed and keep the constraints.
void run(const Model& model, State& state, double h, int steps, const IntegratorOptions& options = {}) {
  const auto integrator = make_integrator(find_integrator("variational"), options, model);
  for (int i = 0; i < steps; ++i) {
    const StepReport report = integrator->step(model, state, h);
    ASSERT_TRUE(report.ok()) << report.message;
    const Kept now = kept(model, state);
    ASSERT_LT(now.position, 1e-10) << "step " << i;
    ASSERT_LT(now.velocity, 1e-9) << "step " << i;
  }
}

constexpr double gravity = 9.81;

/// Angle of a pendulum of 1 m, let go at 2 rad, after t seconds: sin(θ/2) = k sn(K + ωt, k).
double pendulum_angle(double t) {
  const double k = std::sin(1.0);
  return 2 * std::asin(k * jacobi(quarter_period(k) + std::sqrt(gravity) * t, k).sn);
}

Vec3 bob(double angle) { return {std::sin(angle), -std::cos(angle), 0}; }

Model pendulum(bool by_sphere) {
  Model model = particles({Vec3(0, 0, 0), bob(2)});
  model.set_gravity({0, -gravity, 0});
  if (by_sphere) {
    model.constrain(BodyId(0), {.kind = Kind::sphere, .a = 1, .length = 1});
  } else {
    model.constrain(BodyId(0), {.kind = Kind::distance, .a = 0, .b = 1, .length = 1});
  }
  model.pin(BodyId(0), std::vector<int>{0});
  return model;
}

double pendulum_error(bool by_sphere, int steps, const IntegratorOptions& options) {
  const double time = 1.7;
  const Model model = pendulum(by_sphere);
  State state = model.rest_state();
  run(model, state, time / steps, steps, options);
  return (state.x[1] - bob(pendulum_angle(time))).norm();
}

}  // namespace

TEST(Constrained, PendulumConvergesWithOrderTwoByDistanceAndBySphere) {
  for (const bool by_sphere : {false, true}) {
    const double coarse = pendulum_error(by_sphere, 100, {});
    const double fine = pendulum_error(by_sphere, 200, {});
    EXPECT_LT(fine, 1e-3);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
  }
}

TEST(Constrained, CompositionRaisesTheOrderOfThePendulum) {
  const IntegratorOptions options{.order = 4, .solver = {.tolerance = 1e-13}};
  EXPECT_NEAR(std::log2(pendulum_error(true, 100, options) / pendulum_error(true, 200, options)), 4, 0.3);
}

TEST(Constrained, ExplicitFormsKeepThePendulumToo) {
  for (const double alpha : {0.0, 1.0}) {
    const double coarse = pendulum_error(false, 200, {.alpha = alpha});
    const double fine = pendulum_error(false, 400, {.alpha = alpha});
    EXPECT_LT(fine, 0.1);
    EXPECT_GT(std::log2(coarse / fine), 0.8) << alpha;
  }
}

TEST(Constrained, DoublePendulumKeepsItsEnergyInBoundsForTenThousandSteps) {
  Model model = particles({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0.1, 0)});
  model.set_gravity({0, -gravity, 0});
  const double second = std::hypot(1.0, 0.1);
  model.constrain(BodyId(0), {.kind = Kind::distance, .a = 0, .b = 1, .length = 1});
  model.constrain(BodyId(0), {.kind = Kind::distance, .a = 1, .b = 2, .length = second});
  model.pin(BodyId(0), std::vector<int>{0});
  State state = model.rest_state();
  const auto integrator = make_integrator(find_integrator("variational"), {}, model);
  const double start = measure(model, state).total;
  double worst_energy = 0, worst_constraint = 0;
  for (int i = 0; i < 10000; ++i) {
    const StepReport report = integrator->step(model, state, 2e-3);
    ASSERT_TRUE(report.ok()) << "step " << i << ": " << report.message;
    worst_energy = std::max(worst_energy, std::abs(measure(model, state).total - start));
    worst_constraint = std::max(worst_constraint, kept(model, state).position);
  }
  EXPECT_LT(worst_energy, 5e-3 * gravity * 3);  // of the energy in play, about m g (1 + 2) m
  EXPECT_LT(worst_constraint, 1e-10);
}

TEST(Constrained, EachKindIsKeptByABodyThatFalls) {
  for (const Kind kind : {Kind::distance, Kind::plane, Kind::line, Kind::sphere, Kind::point, Kind::together}) {
    Model model;
    const BodyId bar = model.add(
        SolidOptions{.mesh = make_bar({.cells = {4, 2, 2}}), .material = {.mu = 2e3, .lambda = 3e3}, .density = 10});
    model.set_gravity({0, -gravity, 0});
    const Vec3 a = model.rest()[0];
    const Vec3 b = model.rest()[20];
    Constraint constraint{.kind = kind, .a = 0, .b = 20, .point = a, .direction = Vec3(1, 1, 0)};
    if (kind == Kind::distance) constraint.length = (a - b).norm();
    if (kind == Kind::together) constraint.point = a - b;
    if (kind == Kind::sphere) {
      constraint.point = a + Vec3(0.3, 0.4, 0);
      constraint.length = 0.5;
    }
    model.constrain(bar, constraint);
    State state = model.rest_state();
    for (std::size_t i = 0; i < model.vertices(); ++i) state.v[i] = Vec3(1, -2, 3).cross(Vec3(state.x[i]));
    SCOPED_TRACE(to_string(kind));
    run(model, state, 5e-3, 100);
    EXPECT_LT(state.x[10][1], model.rest()[10][1]);
  }
}

TEST(Constrained, AFreeDumbbellKeepsItsMomenta) {
  Model model = particles({Vec3(0, 0, 0), Vec3(1, 0, 0)});
  model.constrain(BodyId(0), {.kind = Kind::distance, .a = 0, .b = 1, .length = 1});
  State state = model.rest_state();
  state.v[0] = Vec3(0.3, -1, 0.5);
  state.v[1] = Vec3(0.3, 2, 0.1);
  const Vec3 linear = model.linear_momentum(state.v);
  const Vec3 angular = model.angular_momentum(state.x, state.v);
  for (const double alpha : {0.0, 0.5, 0.75}) {
    State turning = state;
    run(model, turning, 0.01, 500, {.alpha = alpha});
    EXPECT_LT((model.linear_momentum(turning.v) - linear).norm(), 1e-10) << alpha;
    EXPECT_LT((model.angular_momentum(turning.x, turning.v) - angular).norm(), 1e-10) << alpha;
  }
}

TEST(Constrained, ConstraintsThatRepeatOthersDoNoHarm) {
  const Model single = pendulum(true);
  Model twice = pendulum(true);
  twice.constrain(BodyId(0), {.kind = Kind::sphere, .a = 1, .length = 1});
  State a = single.rest_state(), b = twice.rest_state();
  run(single, a, 0.01, 100);
  run(twice, b, 0.01, 100);
  EXPECT_LT((a.x[1] - b.x[1]).norm(), 1e-9);
}

TEST(Constrained, ConstraintsThatCannotHoldTogetherFailTheStepAndSaySo) {
  // Two planes 0.1 mm apart, a kilometer from the origin: too little to be seen as a bad start.
  Model model = particles({Vec3(1000, 0, 0)});
  model.constrain(BodyId(0), {.kind = Kind::plane, .a = 0, .direction = Vec3(0, 1, 0)});
  model.constrain(BodyId(0), {.kind = Kind::plane, .a = 0, .point = Vec3(0, 1e-4, 0), .direction = Vec3(0, 1, 0)});
  State state = model.rest_state();
  const StepReport report = make_integrator(find_integrator("variational"), {}, model)->step(model, state, 0.01);
  EXPECT_FALSE(report.ok());
  EXPECT_NE(report.message.find("1 of 2 equations repeat or contradict others"), std::string::npos) << report.message;
  EXPECT_EQ(Vec3(state.x[0]), Vec3(1000, 0, 0));
}

TEST(Constrained, AStateThatViolatesThemIsRefusedByName) {
  const Model model = pendulum(false);
  State state = model.rest_state();
  state.x[1] *= 1.1;
  const StepReport report = make_integrator(find_integrator("variational"), {}, model)->step(model, state, 0.01);
  EXPECT_FALSE(report.ok());
  EXPECT_NE(report.message.find("constraint 0 (distance of vertex 0) is off by"), std::string::npos) << report.message;
  EXPECT_NE(report.message.find("begin with positions"), std::string::npos) << report.message;
}

TEST(Constrained, ALonePointHeldAtTheOriginStaysThere) {
  Mesh mesh;
  mesh.vertices = {Vec3::Zero()};
  Model model;
  const BodyId body = model.add(ParticlesOptions{.mesh = mesh});
  model.constrain(body, {.kind = Constraint::Kind::point});
  model.set_gravity({0, -9.81, 0});
  State state = model.rest_state();
  const auto integrator = make_integrator(find_integrator("variational"), {}, model);
  for (int k = 0; k < 10; ++k) {
    const StepReport report = integrator->step(model, state, 0.01);
    ASSERT_TRUE(report.ok()) << report.message;
    EXPECT_LT(state.x[0].norm(), 1e-12);
  }
}

}  // namespace brio
