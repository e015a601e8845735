#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "brio/sim.h"
#include "experiments/measure.h"
#include "integrators/testing.h"

namespace brio {
namespace {

using testing::mass_on_spring;
using testing::pulled;
using testing::tumbling;

Model soft_bar() {
  Model model;
  model.add(SolidOptions{
      .mesh = make_bar({.cells = {4, 2, 2}}), .material = {.name = "stvk", .mu = 2e3, .lambda = 3e3}, .density = 10});
  return model;
}

State run(const Model& model, State state, const std::string& name, const IntegratorOptions& options, double h,
          int steps) {
  const auto integrator = make_integrator(find_integrator(name), options, model);
  for (int i = 0; i < steps; ++i) {
    const StepReport report = integrator->step(model, state, h);
    EXPECT_TRUE(report.ok()) << report.message;
    if (!report.ok()) break;
  }
  return state;
}

double largest_difference(const NodalField& a, const NodalField& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, (a[i] - b[i]).norm());
  return largest;
}

/// Accurate solves, with the members given.
IntegratorOptions precisely(double alpha, int order = 2) {
  IntegratorOptions options = precise();
  options.solver.tolerance = 1e-14;
  options.alpha = alpha;
  options.order = order;
  return options;
}

}  // namespace

TEST(Variational, HalfAlphaIsImplicitMidpoint) {
  const Model model = soft_bar();
  const State start = tumbling(model);
  const State a = run(model, start, "variational", {}, 0.01, 50);
  const State b = run(model, start, "implicit-midpoint", {}, 0.01, 50);
  EXPECT_LT(largest_difference(a.x, b.x), 1e-9);
  EXPECT_LT(largest_difference(a.v, b.v), 1e-7);
}

TEST(Variational, EveryAlphaAndOrderIsSymplectic) {
  const Method& method = find_integrator("variational");
  for (const double alpha : {0.0, 0.25, 0.5, 0.75, 1.0})
    EXPECT_LT(symplectic_defect(method, precisely(alpha)), 1e-9) << alpha;
  for (const int order : {4, 6}) EXPECT_LT(symplectic_defect(method, precisely(0.5, order)), 1e-9) << order;
}

TEST(Variational, EveryAlphaKeepsMomentaWithAndWithoutDamping) {
  const Model model = soft_bar();
  const State start = tumbling(model);
  const Vec3 linear = model.linear_momentum(start.v);
  const Vec3 angular = model.angular_momentum(start.x, start.v);
  for (const double alpha : {0.0, 0.25, 0.5, 0.75, 1.0})
    for (const double damping : {0.0, 0.003}) {
      const bool is_explicit = alpha == 0 || alpha == 1;
      const State end =
          run(model, start, "variational", {.alpha = alpha, .damping = damping}, is_explicit ? 2e-4 : 5e-3, 100);
      EXPECT_LT((model.linear_momentum(end.v) - linear).norm(), 1e-9 * linear.norm()) << alpha << ' ' << damping;
      EXPECT_LT((model.angular_momentum(end.x, end.v) - angular).norm(), 1e-9 * angular.norm())
          << alpha << ' ' << damping;
    }
}

TEST(Variational, OrderIsOneAwayFromHalfAndAsAskedForByComposition) {
  const Method& method = find_integrator("variational");
  for (const Problem& problem : order_problems()) {
    for (const double alpha : {0.0, 0.25, 0.75, 1.0})
      EXPECT_NEAR(measured_order(method, precisely(alpha), problem), 1, 0.1) << alpha << ' ' << problem.name;
    for (const int order : {4, 6})
      EXPECT_NEAR(measured_order(method, precisely(0.5, order), problem), order, 0.2) << problem.name;
  }
}

TEST(Variational, OrdersThatCannotBeAreRefusedWithAdvice) {
  const Model model = soft_bar();
  const auto complaint = [&](const IntegratorOptions& options) -> std::string {
    try {
      make_integrator(find_integrator("variational"), options, model);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(complaint({.order = 3}).find("must be 2, 4 or 6"), std::string::npos);
  EXPECT_NE(complaint({.order = 5}).find("must be 2, 4 or 6"), std::string::npos);
  EXPECT_NE(complaint({.alpha = 0.3, .order = 4}).find("set alpha = 0.5"), std::string::npos);
  EXPECT_NE(complaint({.order = 6, .damping = 0.1}).find("set damping = 0"), std::string::npos);
}

TEST(Variational, AFailedCompositionLeavesTheState) {
  const Model model = mass_on_spring(SpringLaw::stvk, 1e3, 1);
  State state = pulled(model, 0.5, 0);
  const State before = state;
  IntegratorOptions options{.order = 4};
  options.solver.iterations = 1;
  options.solver.unconverged = Unconverged::stop;
  const StepReport report = make_integrator(find_integrator("variational"), options, model)->step(model, state, 0.1);
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(Vec3(state.x[1]), Vec3(before.x[1]));
  EXPECT_EQ(Vec3(state.v[1]), Vec3(before.v[1]));
  EXPECT_EQ(state.step, 0);
  EXPECT_EQ(state.time, 0);
}

TEST(Damping, DecayIsThatOfTheDampedOscillatorWhateverTheStep) {
  // m x'' = -k x - k_D k x'
  const double k = 4, m = 1, k_D = 0.1, amplitude = 0.1, time = 3;
  const Model model = mass_on_spring(SpringLaw::hookean, k, m);
  const double decay = k_D * k / (2 * m);
  const double omega = std::sqrt(k / m - decay * decay);
  const double exact =
      amplitude * std::exp(-decay * time) * (std::cos(omega * time) + decay / omega * std::sin(omega * time));
  for (const double alpha : {0.0, 0.5, 1.0}) {
    const auto error = [&](int steps) {
      const State end =
          run(model, pulled(model, amplitude, 0), "variational", {.alpha = alpha, .damping = k_D}, time / steps, steps);
      return std::abs(end.x[1][0] - 1 - exact);
    };
    EXPECT_LT(error(300), 5e-3 * amplitude) << alpha;
    EXPECT_LT(error(600), 0.6 * error(300)) << alpha;
  }
}

TEST(Damping, LossClosesTheBalance) {
  for (const double alpha : {0.25, 0.5}) {
    Model model = soft_bar();
    const State start = tumbling(model);
    Simulation simulation(std::move(model), start,
                          {.integrator = "variational", .h = 1e-3, .options = {.alpha = alpha, .damping = 0.01}});
    const double before = simulation.ledger().total;
    ASSERT_TRUE(simulation.step(300).ok());
    const LedgerRow& row = simulation.ledger();
    EXPECT_GT(row.damping_loss, 0.05 * before);
    EXPECT_LT(std::abs(row.residual), 0.02 * row.damping_loss) << alpha;
  }
}

TEST(Damping, FreeFallIsUntouched) {
  for (const double alpha : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    Model model = soft_bar();
    model.set_gravity({0, -9.81, 0});
    const State plain = run(model, model.rest_state(), "variational", {.alpha = alpha}, 1e-3, 100);
    const State damped = run(model, model.rest_state(), "variational", {.alpha = alpha, .damping = 0.01}, 1e-3, 100);
    EXPECT_LT(largest_difference(plain.x, damped.x), 1e-12) << alpha;
    EXPECT_LT(largest_difference(plain.v, damped.v), 1e-12) << alpha;
    EXPECT_NEAR(plain.v[0][1], -0.981, 1e-12) << alpha;
  }
}

TEST(Damping, LeavesSpringsToPointsAlone) {
  const Model model = [] {
    Mesh mesh;
    mesh.vertices = {Vec3(1, 0, 0), Vec3(2, 0, 0)};
    mesh.segments = {{0, 1}};
    Model m;
    const BodyId body = m.add(ParticlesOptions{.mesh = mesh, .stiffness = 10});
    m.attach(body, {{.vertex = 0, .stiffness = 100}, {.vertex = 1, .stiffness = 100}});
    return m;
  }();
  State start = model.rest_state();
  for (std::size_t i = 0; i < 2; ++i) start.v[i] = Vec3(0, 0, 1);
  const State end = run(model, start, "variational", {.damping = 0.5}, 1e-2, 20);
  const State plain = run(model, start, "variational", {}, 1e-2, 20);
  EXPECT_NEAR(end.x[0][2], plain.x[0][2], 2e-3);  // the spring between them stretches a little
}

/// A push of 1 N on 1 kg for 1 s: half a meter.
TEST(Variational, HalfAlphaIsExactUnderAConstantPush) {
  Mesh mesh;
  mesh.vertices = {Vec3::Zero()};
  Model model;
  const BodyId body = model.add(ParticlesOptions{.mesh = mesh, .mass = 1});
  model.push(body,
             {.vertices = {0}, .keys = {{.time = -1, .force = Vec3(1, 0, 0)}, {.time = 9, .force = Vec3(1, 0, 0)}}});
  for (const int order : {2, 4, 6}) {
    Simulation simulation(model, {.integrator = "variational", .h = 0.1, .options = {.order = order}});
    ASSERT_TRUE(simulation.step(10).ok());
    EXPECT_NEAR(simulation.state().x[0][0], 0.5, 1e-12) << order;
    EXPECT_NEAR(simulation.state().v[0][0], 1, 1e-12) << order;
    EXPECT_NEAR(simulation.ledger().user_work, 0.5, 1e-12) << order;
    EXPECT_NEAR(simulation.ledger().residual, 0, 1e-12) << order;
  }
}

/// A push that swings, on a spring: x'' = -40 x + cos 5t from rest, x = (cos 5t - cos Wt)/(40 - 25).
TEST(Variational, KeepsItsOrderUnderAPush) {
  const auto end = [](double alpha, int order, int steps) {
    Mesh mesh;
    mesh.vertices = {Vec3::Zero()};
    Model model;
    const BodyId body = model.add(ParticlesOptions{.mesh = mesh, .mass = 1});
    model.attach(body, {{.vertex = 0, .point = Vec3::Zero(), .stiffness = 40}});
    Push push{.vertices = {0}};
    constexpr int keys = 20000;
    for (int k = -keys; k <= 2 * keys; ++k) {
      const double time = 1.0 * k / keys;
      push.keys.push_back({.time = time, .force = Vec3(std::cos(5 * time), 0, 0)});
    }
    model.push(body, push);
    Simulation simulation(std::move(model),
                          {.integrator = "variational",
                           .h = 1.0 / steps,
                           .options = {.alpha = alpha, .order = order, .solver = {.tolerance = 1e-13}}});
    EXPECT_TRUE(simulation.step(steps).ok());
    return simulation.state().x[0][0];
  };
  const double right = (std::cos(5.0) - std::cos(std::sqrt(40.0))) / 15;
  for (const auto& [alpha, order, wanted] : {std::tuple{0.5, 2, 2.0}, {0.25, 2, 1.0}, {1.0, 2, 1.0}, {0.5, 4, 4.0}}) {
    const int steps = order == 4 ? 20 : 100;
    const double coarse = std::abs(end(alpha, order, steps) - right);
    const double fine = std::abs(end(alpha, order, 2 * steps) - right);
    EXPECT_NEAR(std::log2(coarse / fine), wanted, order == 4 ? 0.4 : 0.15) << alpha << ", order " << order;
  }
}

/// Explicit forms carry momenta from step to step; taken from positions each step would round them anew.
TEST(Variational, ExplicitFormsKeepMomentumOverManySteps) {
  for (const double alpha : {0.0, 1.0}) {
    const Model model = [] {
      Mesh mesh;
      mesh.vertices = {Vec3(100, 0, 0), Vec3(101, 0, 0)};
      mesh.segments = {{0, 1}};
      Model m;
      m.add(ParticlesOptions{.mesh = mesh, .stiffness = 10});
      return m;
    }();
    State start = model.rest_state();
    start.v[0] = Vec3(0.3, 0.2, 0.1);
    start.v[1] = Vec3(-0.1, 0.1, 0.2);
    const State end = run(model, start, "variational", {.alpha = alpha}, 1e-4, 200000);
    const Vec3 before = model.linear_momentum(start.v);
    EXPECT_LT((model.linear_momentum(end.v) - before).norm(), 1e-13 * before.norm()) << alpha;
  }
}

TEST(RootFinding, GivesTheTrajectoriesOfMinimization) {
  const Model model = soft_bar();
  const State start = tumbling(model);
  for (const double alpha : {0.25, 0.5, 0.75}) {
    const State a = run(model, start, "variational", {.alpha = alpha}, 0.01, 30);
    const State b = run(model, start, "variational", {.alpha = alpha, .solver = {.name = "root"}}, 0.01, 30);
    EXPECT_LT(largest_difference(a.x, b.x), 1e-9) << alpha;
    EXPECT_LT(largest_difference(a.v, b.v), 1e-7) << alpha;
  }
}

}  // namespace brio
