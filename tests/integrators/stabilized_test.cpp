/// `stabilized` holds its epsilon, as who moves along sees it, or says that it did not.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

#include "brio/contact.h"
#include "brio/sim.h"

namespace brio {
namespace {

constexpr double long_step = 0.0333;  ///< [s]

Model bar(double length, const Material& material, const Vec3& at = Vec3::Zero(), double density = 1000) {
  Model model;
  Mesh mesh = make_bar({.size = {length, length / 4, length / 4}, .cells = {8, 2, 2}});
  for (Vec3& p : mesh.vertices) p += at;
  model.add(SolidOptions{.mesh = std::move(mesh), .material = material, .density = density});
  return model;
}

Material elastic(const std::string& name, double young, double poisson) {
  const Lame moduli = lame(young, poisson);
  return {.name = name, .mu = moduli.mu, .lambda = moduli.lambda};
}

void pin_left(Model& model, double length) {
  std::vector<int> pins;
  for (std::size_t i = 0; i < model.vertices(); ++i)
    if (model.rest()[i][0] < -0.499 * length) pins.push_back(static_cast<int>(i));
  model.pin(model.bodies()[0].id, pins);
}

/// Where the far half is pulled and turned by that fraction of the length.
State deformed(const Model& model, double length, double by, const Vec3& velocity = Vec3::Zero()) {
  State state = model.rest_state();
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    const Vec3 p = state.x[i];
    if (p[0] > 0) state.x[i] += by * Vec3(p[0], p[2], -p[1]) + by * Vec3(0, 0.1 * length, 0);
    state.v[i] = velocity;
  }
  return state;
}

struct Watched {
  double worst = 0;  ///< largest |residual| over epsilon times the energy in play
  int strayed = 0, steps = 0;
  StepReport last;
};

/// One body; relative to its mean motion where nothing holds it. Strayed steps are passed over, and so is what they
/// leave behind.
Watched watch(Simulation& simulation, int steps, double epsilon, bool held) {
  Watched watched;
  const Model& model = simulation.model();
  double mass = 0;
  for (const double m : model.mass()) mass += m;
  const auto in_play = [&](double& lowest) {
    const LedgerRow& row = simulation.ledger();
    lowest = std::min(lowest, row.gravity);
    if (held) return row.kinetic + row.elastic + row.contact + row.gravity - lowest;
    return row.kinetic - 0.5 * row.linear.squaredNorm() / mass + row.elastic;
  };
  double lowest = simulation.ledger().gravity;
  double before = in_play(lowest);
  for (; watched.steps < steps; ++watched.steps) {
    watched.last = simulation.step();
    if (!watched.last.ok()) break;
    watched.strayed += watched.last.strayed;
    const double now = in_play(lowest);
    if (watched.strayed == 0) {
      const double error = std::abs(simulation.ledger().residual);
      const double rounding = 1e-12 * (std::abs(simulation.ledger().total) + simulation.ledger().kinetic);
      watched.worst = std::max(watched.worst, (error - rounding) / (epsilon * std::max(before, now)));
    }
    before = now;
  }
  return watched;
}

}  // namespace

TEST(Stabilized, HoldsEpsilonForBarsOfAnySizeThatHang) {
  struct Case {
    double length, young;
  };
  for (const Case& c : {Case{0.03, 1e4}, {0.03, 3e4}, {0.1, 1e4}, {1e-3, 1e4}, {1, 1e4}}) {
    Model model = bar(c.length, elastic("stable-neo-hookean", c.young, 0.45));
    pin_left(model, c.length);
    model.set_gravity(Vec3(0, -9.81, 0));
    Simulation simulation(std::move(model), {.integrator = "stabilized", .h = long_step});
    const Watched watched = watch(simulation, 100, 0.01, true);
    const std::string what = fmt::format("{} m, {} Pa", c.length, c.young);
    EXPECT_EQ(watched.steps, 100) << what << ": " << watched.last.message;
    EXPECT_EQ(watched.strayed, 0) << what;
    EXPECT_LT(watched.worst, 1.1) << what;
  }
}

TEST(Stabilized, FlightDoesNotLoosenWhatJigglingIsHeldTo) {
  const auto jiggling = [](double speed) {
    Model model = bar(1, elastic("stable-neo-hookean", 5e4, 0.3));
    const State state = deformed(model, 1, 0.5, Vec3(speed, 0, 0));
    add_collider(model, {.shape = PlaneShape{.point = Vec3(0, -100, 0)}});  // far away: it holds nothing
    Simulation simulation(std::move(model), state, {.integrator = "stabilized", .h = long_step});
    const Watched watched = watch(simulation, 60, 0.01, false);
    EXPECT_EQ(watched.steps, 60) << watched.last.message;
    EXPECT_EQ(watched.strayed, 0);
    EXPECT_LT(watched.worst, 1.1) << speed << " m/s";
    NodalField x = simulation.state().x;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= simulation.state().time * Vec3(speed, 0, 0);
    return x;
  };
  const NodalField still = jiggling(0), along = jiggling(50);
  double apart = 0;
  for (std::size_t i = 0; i < still.size(); ++i) apart = std::max(apart, (still[i] - along[i]).norm());
  EXPECT_LT(apart, 1e-6);
}

/// The jelly alone, or with a heavy block elsewhere that turns and flies away from it.
NodalField jelly_moved_by(const std::string& integrator, bool with_block) {
  Model model = bar(0.1, elastic("stable-neo-hookean", 1e4, 0.4));
  State state = deformed(model, 0.1, 0.2);
  if (with_block) {
    Mesh mesh = make_bar({.size = {1, 1, 1}, .cells = {2, 2, 2}});
    for (Vec3& p : mesh.vertices) p += Vec3(5, 0, 0);
    model.add(SolidOptions{.mesh = mesh, .material = elastic("stable-neo-hookean", 1e7, 0.3), .density = 8000});
    add_self_contact(model, {.self = false});
    State both = model.rest_state();
    for (std::size_t i = 0; i < both.x.size(); ++i) {
      if (i < state.x.size()) {
        both.x[i] = state.x[i];
      } else {
        both.v[i] = Vec3(0.1, 0, 0).cross(Vec3(both.x[i]) - Vec3(5, 0, 0)) + Vec3(1, 0, 0);
      }
    }
    state = both;
  }
  Simulation simulation(std::move(model), state,
                        {.integrator = integrator, .h = 0.01, .options = {.solver = {.tolerance = 1e-12}}});
  for (int k = 0; k < 30; ++k) {
    const StepReport report = simulation.step();
    EXPECT_TRUE(report.ok()) << integrator << ": " << report.message;
    EXPECT_EQ(report.strayed, 0);
    if (!report.ok()) break;
  }
  return simulation.state().x;
}

TEST(Steering, AHeavyBlockElsewhereDoesNotLoosenWhatAJellyIsHeldTo) {
  const NodalField unsteered = jelly_moved_by("implicit-midpoint", false);
  for (const char* const integrator : {"stabilized", "energy-budget", "lagrange-energy"}) {
    const NodalField alone = jelly_moved_by(integrator, false), with_block = jelly_moved_by(integrator, true);
    double apart = 0, steered = 0;
    for (std::size_t i = 0; i < alone.size(); ++i) {
      apart = std::max(apart, (alone[i] - with_block[i]).norm());
      steered = std::max(steered, (alone[i] - unsteered[i]).norm());
    }
    EXPECT_LT(apart, 1e-9) << integrator;
    EXPECT_GT(steered, 1e-6) << integrator;
  }
}

/// A block slides on rough ground, alone or with a jelly far away that jiggles on the same ground.
struct Slide {
  NodalField x;
  double alpha = 0;  ///< the largest of the run
};
Slide slide(double jiggle) {
  Model model;
  model.add(SolidOptions{.mesh = make_bar({.size = {0.4, 0.2, 0.2}, .cells = {4, 2, 2}}),
                         .material = elastic("stable-neo-hookean", 1e5, 0.3)});
  const std::size_t block = model.vertices();
  if (jiggle > 0)
    model.add(SolidOptions{.mesh = make_bar({.size = {0.4, 0.2, 0.2}, .cells = {4, 2, 2}}),
                           .material = elastic("stable-neo-hookean", 1e4, 0.4)});
  model.set_gravity({0, -9.81, 0});
  add_collider(model, {.stiffness = 2e3, .friction = 0.3});
  State state = model.rest_state();
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    state.x[i] += Vec3(0, 0.1, 0);
    if (i < block) state.v[i] = Vec3(2, 0, 0);
    if (i >= block) state.x[i] = Vec3((1 + jiggle) * state.x[i][0], state.x[i][1], state.x[i][2] + 10);
  }
  Simulation simulation(std::move(model), state,
                        {.integrator = "stabilized", .h = 0.01, .options = {.solver = {.tolerance = 1e-12}}});
  Slide out;
  for (int k = 0; k < 60; ++k) {
    const StepReport report = simulation.step();
    EXPECT_TRUE(report.ok()) << report.message;
    if (!report.ok()) break;
    out.alpha = std::max(out.alpha, std::abs(report.alpha));
  }
  out.x = NodalField(block);
  for (std::size_t i = 0; i < block; ++i) out.x[i] = simulation.state().x[i];
  return out;
}

TEST(Steering, FrictionIsToldTheBlendOfWhatItRubs) {
  const Slide alone = slide(0), with_jelly = slide(0.6);
  EXPECT_GT(with_jelly.alpha, alone.alpha + 0.05) << "the jelly is not steered";
  double apart = 0;
  for (std::size_t i = 0; i < alone.x.size(); ++i) apart = std::max(apart, (alone.x[i] - with_jelly.x[i]).norm());
  std::printf("alpha %.2f alone, %.2f with a jelly elsewhere: %.1e m apart\n", alone.alpha, with_jelly.alpha, apart);
  EXPECT_LT(apart, 1e-9);
}

TEST(Steering, TwoThatFlyApartMoveAsEachAlone) {
  for (const char* const integrator : {"stabilized", "energy-budget", "lagrange-energy"}) {
    const auto run = [&](double speed) {
      Model model = bar(1, elastic("stable-neo-hookean", 5e4, 0.3));
      State one = deformed(model, 1, 0.2);
      model.add(SolidOptions{.mesh = make_bar({.size = {1, 0.25, 0.25}, .cells = {8, 2, 2}}),
                             .material = elastic("stable-neo-hookean", 5e4, 0.3)});
      State both = model.rest_state();
      for (std::size_t i = 0; i < both.x.size(); ++i) {
        const bool first = i < one.x.size();
        both.x[i] = first ? Vec3(one.x[i]) : Vec3(one.x[i - one.x.size()] + Vec3(0, 5, 0));
        both.v[i] = (first ? speed : -2 * speed) * Vec3(1, 0, 0);
      }
      Simulation simulation(std::move(model), both,
                            {.integrator = integrator, .h = 0.01, .options = {.solver = {.tolerance = 1e-12}}});
      for (int k = 0; k < 30; ++k) {
        const StepReport report = simulation.step();
        EXPECT_TRUE(report.ok()) << integrator << ": " << report.message;
        if (!report.ok()) break;
      }
      NodalField x = simulation.state().x;
      for (std::size_t i = 0; i < x.size(); ++i)
        x[i] -= (i < one.x.size() ? speed : -2 * speed) * simulation.state().time * Vec3(1, 0, 0);
      return x;
    };
    const NodalField still = run(0), apart = run(20);
    double most = 0;
    for (std::size_t i = 0; i < still.size(); ++i) most = std::max(most, (still[i] - apart[i]).norm());
    EXPECT_LT(most, 1e-7) << integrator;
  }
}

TEST(Stabilized, RandomBarsHoldEpsilonOrSaySo) {
  std::mt19937 random(7);
  const auto between = [&](double low, double high) {
    return std::exp(std::uniform_real_distribution<double>(std::log(low), std::log(high))(random));
  };
  const char* const materials[]{"stable-neo-hookean", "corotated", "stvk-volume", "neo-hookean"};
  int strayed = 0, steps = 0;
  for (int run = 0; run < 16; ++run) {
    const double length = between(1e-3, 100), young = between(1e2, 1e9), step = between(1e-3, 0.1);
    const std::string material = materials[run % 4];
    const bool held = run % 3 != 0;
    Model model = bar(length, elastic(material, young, 0.3));
    if (held) {
      pin_left(model, length);
      model.set_gravity(Vec3(0, -9.81, 0));
    }
    const State state = deformed(model, length, 0.4);
    Simulation simulation(std::move(model), state, {.integrator = "stabilized", .h = step});
    const Watched watched = watch(simulation, 10, 0.01, held);
    const std::string what = fmt::format("{}: {} of {} m, {} Pa, h = {}", run, material, length, young, step);
    EXPECT_EQ(watched.steps, 10) << what << ": " << watched.last.message;
    EXPECT_LT(watched.worst, 1.1) << what;
    strayed += watched.strayed;
    steps += watched.steps;
  }
  EXPECT_LT(strayed, steps / 50);
}

TEST(Stabilized, FewIterationsOfLocalGlobalDoNotExplodeWhereTheMaterialIsNotProjective) {
  Model model;
  Mesh mesh = make_bar({.size = {0.4, 0.4, 0.4}, .cells = {4, 4, 4}});
  for (Vec3& p : mesh.vertices) p += Vec3(0.1, 1.2, 0.03);
  model.add(SolidOptions{.mesh = mesh, .material = elastic("stable-neo-hookean", 8e4, 0.4)});
  model.set_gravity(Vec3(0, -9.81, 0));
  add_collider(model, {.shape = SphereShape{.center = Vec3(0, 0.5, 0), .radius = 0.3}, .stiffness = 2e4});
  add_collider(model, {.shape = PlaneShape{}, .stiffness = 2e4});
  Simulation simulation(std::move(model),
                        {.integrator = "stabilized", .h = 1.0 / 120, .options = {.solver = {.name = "local-global"}}});
  const double put_in = 64 * 9.81 * 1.2;  // kg m/s² m
  for (int k = 0; k < 240; ++k) {
    const StepReport report = simulation.step();
    ASSERT_TRUE(report.ok()) << report.message;
    ASSERT_LT(simulation.ledger().residual, 0.02 * put_in) << k;
  }
}

TEST(Stabilized, FromSymplecticEulerHoldsEpsilonOrSaysSo) {
  Model model = bar(1, elastic("stable-neo-hookean", 1e5, 0.3));
  const State state = deformed(model, 1, 0.3);
  Simulation simulation(
      std::move(model), state,
      {.integrator = "stabilized", .h = 1.0 / 60, .options = {.start = StabilizedStart::symplectic_euler}});
  const Watched watched = watch(simulation, 60, 0.01, false);
  EXPECT_EQ(watched.steps, 60) << watched.last.message;
  EXPECT_LT(watched.worst, 1.1);
}

}  // namespace brio
