/// Laws of what is driven: order, work, walls, lifts, belts.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>

#include "driven_testing.h"

namespace brio {
namespace {

/// So that errors of the method alone are seen.
IntegratorOptions tightly(const std::string& integrator) {
  IntegratorOptions options{.solver = {.tolerance = 1e-13}};
  if (integrator == "stabilized") options.epsilon = 1e-9;
  return options;
}

using testing::straight;

/// p(t) = A sin(w t), as keyframes so dense that their own error stays below what is measured.
Motion swing(const Vec3& amplitude, double w, double duration) {
  Motion motion{.interpolation = Motion::Interpolation::smooth};
  constexpr int keys = 200000;
  for (int k = -keys / 8; k <= keys + keys / 8; ++k) {  // compositions look beyond both ends of a step
    const double time = duration * k / keys;
    motion.keys.push_back({.time = time, .translate = amplitude * std::sin(w * time)});
  }
  return motion;
}

Mesh chain(int points, double length) {
  Mesh mesh;
  for (int i = 0; i < points; ++i) mesh.vertices.emplace_back(i * length, 0, 0);
  for (int i = 0; i + 1 < points; ++i) mesh.segments.push_back({i, i + 1});
  return mesh;
}

struct End {
  Vec3 x;
  double work;
};

/// Linear: a mass on a spring without rest length whose other end swings; closed form.
///   x'' = -(k/m)(x - A sin wt) from rest at 0:  x = A k/m/(k/m - w²) (sin wt - (w/W) sin Wt),  W² = k/m
End exact(double k, double m, double amplitude, double w, double t) {
  const double W = std::sqrt(k / m), c = amplitude * k / m / (W * W - w * w);
  const double x = c * (std::sin(w * t) - w / W * std::sin(W * t));
  const double v = c * w * (std::cos(w * t) - std::cos(W * t));
  const double stretch = x - amplitude * std::sin(w * t);
  return {{x, 0, 0}, 0.5 * m * v * v + 0.5 * k * stretch * stretch};
}

End measured(const Method& method, const IntegratorOptions& options, int steps) {
  constexpr double duration = 1;
  Mesh mesh;
  mesh.vertices = {Vec3::Zero()};
  Model model;
  const BodyId body = model.add(ParticlesOptions{.mesh = mesh, .mass = 1});
  model.drive(model.attach(body, {{.vertex = 0, .point = Vec3::Zero(), .stiffness = 40}}),
              swing({0.4, 0, 0}, 5, duration));
  Simulation simulation(std::move(model), {.integrator = method.name, .h = duration / steps, .options = options});
  EXPECT_TRUE(simulation.step(steps).ok()) << method.name;
  return {Vec3(simulation.state().x[0]), simulation.ledger().user_work};
}

}  // namespace

TEST(Driven, EveryMethodKeepsItsOrderInPositionAndWork) {
  const End right = exact(40, 1, 0.4, 5, 1);
  const auto check = [&](const Method& method, const IntegratorOptions& options, int order) {
    const int steps = order > 2 ? 32 : 400;
    const End coarse = measured(method, options, steps), fine = measured(method, options, 2 * steps);
    const double x = std::log2((coarse.x - right.x).norm() / (fine.x - right.x).norm());
    const double W = std::log2(std::abs(coarse.work - right.work) / std::abs(fine.work - right.work));
    EXPECT_GT(x, order - 0.25) << method.name << " x, order " << order;
    EXPECT_GT(W, order - 0.35) << method.name << " work, order " << order;
  };
  for (const Method& method : integrators()) {
    if (!method.dynamic) continue;
    check(method, tightly(method.name), method.order);
    if (method.name == "variational") check(method, {.order = 4, .solver = {.tolerance = 1e-13}}, 4);
  }
}

/// A hand that goes evenly from step to step. Parts of high-order steps look beyond them, where it must not rest.
///   x'' = -(k/m)(x - u t) from rest at 0:  x = u (t - sin(Wt)/W)
TEST(Driven, EveryMethodKeepsItsOrderUnderADrag) {
  constexpr double u = 2, k = 40, W = 6.324555320336759;
  const double v = u * (1 - std::cos(W)), stretch = u * std::sin(W) / W;
  const End right{{u - stretch, 0, 0}, 0.5 * v * v + 0.5 * k * stretch * stretch};
  const auto drag = [&](const std::string& name, const IntegratorOptions& options, int steps) {
    Mesh mesh;
    mesh.vertices = {Vec3::Zero()};
    Model model;
    const BodyId body = model.add(ParticlesOptions{.mesh = mesh, .mass = 1});
    Simulation simulation(std::move(model), {.integrator = name, .h = 1.0 / steps, .options = options});
    const GrabId hand = simulation.grab(body, {.vertices = {0, 0, 0}, .weights = {1, 0, 0}}, k);
    for (int n = 1; n <= steps; ++n) {
      simulation.move(hand, {u * n / steps, 0, 0});
      EXPECT_TRUE(simulation.step().ok()) << name;
    }
    return End{Vec3(simulation.state().x[0]), simulation.ledger().user_work};
  };
  const auto check = [&](const std::string& name, const IntegratorOptions& options, int order) {
    const int steps = order > 2 ? 32 : 400;
    const End coarse = drag(name, options, steps), fine = drag(name, options, 2 * steps);
    EXPECT_GT(std::log2((coarse.x - right.x).norm() / (fine.x - right.x).norm()), order - 0.25) << name << order;
    EXPECT_GT(std::log2(std::abs(coarse.work - right.work) / std::abs(fine.work - right.work)), order - 0.35)
        << name << " work, order " << order;
  };
  for (const Method& method : integrators())
    if (method.dynamic) check(method.name, tightly(method.name), method.order);
  for (int order : {4, 6}) check("variational", {.order = order, .solver = {.tolerance = 1e-13}}, order);
}

/// The same for pins in the middle of a nonlinear chain under gravity, against a much finer run.
TEST(Driven, MethodsOfSecondOrderKeepItWithDrivenPins) {
  const auto run = [](const std::string& name, int steps) {
    Model model;
    const BodyId body =
        model.add(ParticlesOptions{.mesh = chain(4, 0.5), .law = SpringLaw::stvk, .stiffness = 80, .mass = 1});
    model.set_gravity({0, -2, 0});
    model.pin(body, std::vector<int>{0}, swing({0.2, 0.35, 0}, 5, 1));
    Simulation simulation(std::move(model), {.integrator = name, .h = 1.0 / steps, .options = tightly(name)});
    EXPECT_TRUE(simulation.step(steps).ok()) << name;
    return End{Vec3(simulation.state().x[3]), simulation.ledger().user_work};
  };
  const End right = run("rk4", 3200);
  for (const Method& method : integrators()) {
    if (method.order != 2) continue;
    const End coarse = run(method.name, 200), fine = run(method.name, 400);
    EXPECT_GT(std::log2((coarse.x - right.x).norm() / (fine.x - right.x).norm()), 1.75) << method.name;
    EXPECT_GT(std::log2(std::abs(coarse.work - right.work) / std::abs(fine.work - right.work)), 1.6) << method.name;
  }
}

TEST(Driven, CarryingAtConstantSpeedWithDampingTakesNoPowerAndDoesNotSqueeze) {
  for (const char* name : {"avf", "implicit-midpoint", "backward-euler", "stabilized", "newmark", "bathe"}) {
    Model model;
    const BodyId bar = model.add(testing::small_bar());
    model.pin(bar, testing::left_end(model), straight({1, 0, 0}));
    model.set_damping({.strain = 0.02});
    State state = model.rest_state();
    for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] = Vec3(1, 0, 0);
    Simulation simulation(std::move(model), std::move(state), {.integrator = name, .h = 1.0 / 60});
    const double kinetic = simulation.ledger().kinetic;
    ASSERT_TRUE(simulation.step(60).ok()) << name;
    EXPECT_NEAR(simulation.ledger().kinetic, kinetic, 1e-9) << name;
    EXPECT_LT(simulation.ledger().damping_loss, 1e-9) << name;
    EXPECT_LT(simulation.ledger().elastic, 1e-9) << name;
    EXPECT_NEAR(simulation.ledger().user_work, 0, 1e-9) << name;
  }
}

/// From rest to rest, softly: W is heat and the vibration that remains; on the way, not much more than ½ m v².
TEST(Driven, MovingAHeavyBarByAMeterCostsItsKineticEnergyAndGivesItBack) {
  for (const char* name : {"backward-euler", "avf", "stabilized", "implicit-midpoint"}) {
    Model model;
    const BodyId bar = model.add(SolidOptions{.mesh = make_bar({.size = {1, 0.2, 0.2}, .cells = {5, 1, 1}}),
                                              .material = {.name = "stvk", .mu = 4e6, .lambda = 4e6},
                                              .density = 1000});
    model.pin(bar, select(model.bodies()[0].mesh, BeyondPlane{{-0.499, 0, 0}, {-1, 0, 0}}),
              Motion{.keys = {{.time = 0}, {.time = 1, .translate = {1, 0, 0}}},
                     .interpolation = Motion::Interpolation::smooth});
    Simulation simulation(std::move(model), {.integrator = name, .h = 1.0 / 60});
    double peak = 0;
    for (int k = 0; k < 70; ++k) {
      ASSERT_TRUE(simulation.step().ok()) << name;
      peak = std::max(peak, simulation.ledger().user_work);
    }
    EXPECT_NEAR(peak, 0.5 * 40 * 1.5 * 1.5, 0.1 * 45) << name;  // the smooth curve is at 1.5 m/s in its middle
    const LedgerRow& row = simulation.ledger();
    // What backward Euler takes from the vibration is missing in the end.
    EXPECT_LT(std::abs(row.user_work), (name == std::string("backward-euler") ? 0.1 : 0.02) * peak) << name;
    if (name == std::string("avf")) {
      EXPECT_LT(std::abs(row.residual), 1e-9 * peak);
    }
  }
}

TEST(Driven, AvfClosesTheBalanceWithEverythingThatMoves) {
  for (const testing::DrivenScene& scene : testing::driven_scenes()) {
    if (!scene.avf_is_exact) continue;
    Simulation simulation =
        scene.make({.integrator = "avf", .h = 1.0 / 60, .options = {.solver = {.tolerance = 1e-12}}}, {0.7, 0.3, -0.2});
    const double start = simulation.ledger().kinetic;
    ASSERT_TRUE(simulation.step(40).ok()) << scene.name;
    const LedgerRow& row = simulation.ledger();
    EXPECT_LT(std::abs(row.residual), 1e-9 * (start + std::abs(row.user_work))) << scene.name;
  }
}

/// In the wall's frame it comes with -u and leaves with u.
TEST(Driven, AWallThrowsAPointAtTwiceItsSpeedAtAnyStiffnessAndStep) {
  for (const double k : {1e4, 1e5, 1e7})
    for (const double h : {1.0 / 60, 1.0 / 240}) {
      Mesh mesh;
      mesh.vertices = {Vec3(0, 0, 0)};
      Model model;
      model.add(ParticlesOptions{.mesh = mesh, .mass = 1});
      add_collider(model, {.shape = PlaneShape{.point = {0, -0.15, 0}}, .stiffness = k, .motion = straight({0, 1, 0})});
      Simulation simulation(std::move(model),
                            {.integrator = "avf", .h = h, .options = {.solver = {.tolerance = 1e-13}}});
      ASSERT_TRUE(simulation.step(static_cast<int>(std::lround(0.4 / h))).ok());
      EXPECT_NEAR(simulation.state().v[0].y(), 2, 1e-8) << k << " " << h;
      EXPECT_NEAR(simulation.ledger().residual, 0, 1e-9);
    }
}

TEST(Driven, AWallThrowsAnElasticBallAtNoMoreThanTwiceItsSpeed) {
  for (const char* name : {"avf", "stabilized", "backward-euler", "bdf2"})
    for (const double k : {1e4, 1e6}) {
      Model model;
      model.add(SolidOptions{.mesh = make_sphere({.radius = 0.1, .rings = 2}),
                             .material = {.name = "stvk", .mu = 1e4, .lambda = 1e4},
                             .mass = 1});
      add_collider(model, {.shape = PlaneShape{.point = {0, -0.15, 0}}, .stiffness = k, .motion = straight({0, 1, 0})});
      Simulation simulation(std::move(model), {.integrator = name, .h = 1.0 / 60});
      for (int step = 0; step < 40; ++step) ASSERT_TRUE(simulation.step().ok()) << name;
      EXPECT_LT(simulation.ledger().linear.y(), 2.02) << name << k;
      EXPECT_GT(simulation.ledger().linear.y(), 0.9) << name << k;
    }
}

/// 23 steps of 1/60 s are one ulp short of 23/60 s: the state has the velocity after the key all the same.
TEST(Driven, VelocitiesChangeAtTheStepThatEndsOnAKey) {
  for (const double h : {1.0 / 60, 1e-3, 0.005})
    for (int steps = 1; steps <= 60; ++steps) {
      const double key = steps == 23 ? 23.0 / 60 * (h * 60) : std::stod(std::to_string(steps)) * h;
      const Motion motion{.keys = {{.time = 0},
                                   {.time = key, .translate = {0.1 * key, 0, 0}},
                                   {.time = 2 * key, .translate = {1.1 * key, 0, 0}}}};
      const Clock clock{.h = h};
      for (const double off : {-1e-15, 0.0, 1e-15}) {
        const double time = clock.time_of(steps) + off * key;
        EXPECT_NEAR(motion.rate(time, Side::after).linear.x(), 1, 1e-9) << h << ' ' << steps;
        EXPECT_NEAR(motion.rate(time, Side::before).linear.x(), 0.1, 1e-9) << h << ' ' << steps;
      }
    }
}

/// Being driven to stand still is standing still: what is booked changes nothing that moves.
TEST(Driven, APathThatStandsStillIsNone) {
  const auto slid = [](const Method& method, const Motion& motion) {
    Model model;
    model.add(testing::small_bar());
    model.set_gravity({0, -9.81, 0});
    add_collider(
        model,
        {.shape = PlaneShape{.point = {0, -0.125 + 1e-4, 0}}, .stiffness = 2e4, .friction = 0.2, .motion = motion});
    State state = testing::shaken(model, {1, 0, 0}, 0);
    const bool is_explicit = method.force_evaluations > 0;
    Simulation simulation(model, state, {.integrator = method.name, .h = is_explicit ? 1e-4 : 1.0 / 60});
    EXPECT_TRUE(simulation.step(is_explicit ? 2000 : 12).ok()) << method.name;
    return simulation.ledger();
  };
  for (const Method& method : integrators()) {
    if (method.energy == EnergyBehavior::grows) continue;  // they explode on the plane's springs
    if (!method.dynamic) continue;                         // nothing slides on
    const LedgerRow still = slid(method, {}), driven = slid(method, straight(Vec3::Zero()));
    EXPECT_NEAR(driven.linear.x(), still.linear.x(), 1e-9) << method.name;
    EXPECT_NEAR(driven.friction_loss, still.friction_loss, 1e-9) << method.name;
    EXPECT_GT(still.friction_loss, 0.05) << method.name;
  }
}

/// The gap, not the pose: 19.81 N for 1 kg at 10 m/s² against gravity, for every stiffness.
TEST(Driven, ALiftThatAcceleratesPressesWithWeightAndInertia) {
  for (const char* name : {"implicit-midpoint", "newmark", "avf", "backward-euler"})
    for (const double k : {1e4, 1e5, 1e6}) {
      Mesh mesh;
      mesh.vertices = {Vec3(0, -19.81 / k, 0)};
      Model model;
      model.add(ParticlesOptions{.mesh = mesh, .mass = 1});
      model.set_gravity({0, -9.81, 0});
      Motion lift;
      for (int step = 0; step <= 80; ++step)
        lift.keys.push_back({.time = step / 60.0, .translate = {0, 5 * (step / 60.0) * (step / 60.0), 0}});
      add_collider(model, {.shape = PlaneShape{}, .stiffness = k, .motion = lift});
      Simulation simulation(std::move(model),
                            {.integrator = name, .h = 1.0 / 60, .options = {.solver = {.tolerance = 1e-12}}});
      double mean = 0;
      for (int step = 1; step <= 60; ++step) {
        ASSERT_TRUE(simulation.step().ok());
        const double gap = simulation.state().x[0].y() - lift.at(simulation.state().time).translation.y();
        if (step > 30) mean += k * std::max(0.0, -gap) / 30;
      }
      EXPECT_NEAR(mean, 19.81, 0.8) << name << " " << k;
    }
}

}  // namespace brio
