/// Restitution of solids, which part as a whole. That of point masses: exact_contact_test.cpp, exact_collider_test.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "contact_scenes.h"
#include "testing.h"

namespace brio {
using namespace testing;

namespace {

struct Bounce {
  std::string integrator = "avf";
  double e = 1, h = 1.0 / 60;
  double radius = 0.05, young = 1e9;
  bool on_ball = false;
  Vec3 aside = Vec3::Zero(), boost = Vec3::Zero();
  double turn = 0;
};

/// A place of a ball's surface about which it is symmetric: a vertex at which five faces meet, or the middle of a face.
Vec3 pole(const Mesh& ball, bool of_face) {
  const std::vector<Triangle> faces = surface(ball);
  std::vector<int> count(ball.vertices.size(), 0);
  for (const Triangle& f : faces)
    for (const int k : f) ++count[k];
  if (!of_face) return ball.vertices[std::ranges::find(count, 5) - count.begin()];
  const auto tilt = [&](const Triangle& f) {
    const Vec3 &a = ball.vertices[f[0]], &b = ball.vertices[f[1]], &c = ball.vertices[f[2]];
    return (a + b + c).normalized().cross((b - a).cross(c - a).normalized()).norm();
  };
  const Triangle f = *std::ranges::min_element(faces, {}, tilt);
  return (ball.vertices[f[0]] + ball.vertices[f[1]] + ball.vertices[f[2]]) / 3;
}

Eigen::Matrix3d turned_down(const Mesh& ball, bool face, const Vec3& down) {
  return Eigen::Quaterniond::FromTwoVectors(pole(ball, face), down).toRotationMatrix();
}

/// A ball falls, by 1 m/s, on a plane or on another ball at rest, a vertex onto the middle of a face.
Simulation simulate(const Bounce& bounce) {
  const Lame moduli = lame(bounce.young, 0.3);
  const SolidOptions ball{.mesh = make_sphere({.radius = bounce.radius, .rings = 2}),
                          .material = {.name = "stable-neo-hookean", .mu = moduli.mu, .lambda = moduli.lambda}};
  Model model;
  const BodyId falls = model.add(ball);
  const Vec3 down(0, -1, 0);
  State state;
  if (bounce.on_ball) {
    model.add(ball);
  } else {
    add_collider(model, {.shape = PlaneShape{}, .law = ColliderLaw::barrier});
  }
  add_self_contact(model, {.restitution = bounce.e});
  state = model.rest_state();
  move(model, state, falls, turned(bounce.turn, {1, 0.2, 0.5}) * turned_down(ball.mesh, false, down),
       1.1 * bounce.radius * Vec3(0, 1, 0) + bounce.aside, down + bounce.boost);
  if (bounce.on_ball)
    move(model, state, model.bodies()[1].id, turned_down(ball.mesh, true, -down), bounce.radius * down, bounce.boost);
  return {std::move(model), state, {.integrator = bounce.integrator, .h = bounce.h}};
}

Vec3 mean_velocity(const Simulation& simulation, std::size_t body) {
  const Model& model = simulation.model();
  const Body& b = model.bodies()[body];
  Vec3 momentum = Vec3::Zero();
  double mass = 0;
  for (std::size_t i = b.first_vertex; i < b.first_vertex + b.mesh.vertices.size(); ++i) {
    momentum += model.mass()[i] * simulation.state().v[i];
    mass += model.mass()[i];
  }
  return momentum / mass;
}

void run(Simulation& simulation, double time) {
  while (simulation.state().time < time) {
    const StepReport report = simulation.step();
    ASSERT_TRUE(report.ok()) << report.message;
    ASSERT_FALSE(report.unconverged);
    EXPECT_GE(report.contact_loss, 0);
  }
}

double parts_at(const Simulation& simulation, bool on_ball) {
  return mean_velocity(simulation, 0).y() - (on_ball ? mean_velocity(simulation, 1).y() : 0);
}

std::string name_of(const Bounce& b) {
  return fmt::format("{} on {}, r = {} m, E = {:g} Pa, h = 1/{:.0f}, e = {}", b.integrator,
                     b.on_ball ? "a ball" : "a plane", b.radius, b.young, 1 / b.h, b.e);
}

}  // namespace

/// Those that give back 98 % of their speed by themselves, e = 1.
TEST(Restitution, IsExactForNearlyRigidBallsAtAnyStep) {
  const std::pair<double, double> kinds[]{{0.01, 1e10}, {0.05, 1e9}, {0.25, 1e11}};
  for (const bool on_ball : {false, true})
    for (const auto& [radius, young] : kinds)
      for (const double h : {1.0 / 24, 1.0 / 60, 1.0 / 240})
        for (const double e : {0.0, 0.3, 0.7, 1.0}) {
          const Bounce bounce{.e = e, .h = h, .radius = radius, .young = young, .on_ball = on_ball};
          Simulation simulation = simulate(bounce);
          const LedgerRow start = simulation.ledger();
          run(simulation, 0.1 * radius + 5 * h);
          const LedgerRow& row = simulation.ledger();
          const double parts = parts_at(simulation, on_ball);
          const double lost = row.damping_loss / ((on_ball ? 0.5 : 1) * start.kinetic);  // of what is relative motion
          std::printf("%s: parts at %.4f m/s, lost %.4f, residual %.1e\n", name_of(bounce).c_str(), parts, lost,
                      row.residual / start.kinetic);
          EXPECT_NEAR(parts, e, 0.02) << name_of(bounce);
          EXPECT_NEAR(lost, 1 - e * e, 0.04) << name_of(bounce);
          EXPECT_LT(std::abs(row.residual), 1e-7 * start.kinetic) << name_of(bounce);
          if (on_ball) {
            EXPECT_LT((row.linear - start.linear).norm(), 1e-10 * start.linear.norm()) << name_of(bounce);
          }
        }
}

/// Those that declare it; the others leave faster.
TEST(Restitution, BoundsTheSpeedOfABallWithImplicitMethods) {
  for (const Method& method : integrators()) {
    if (!method.dynamic || method.force_evaluations > 0 || method.family == "explicit") continue;
    const Bounce bounce{.integrator = method.name, .e = 0.5, .h = 1.0 / 240};
    Simulation simulation = simulate(bounce);
    run(simulation, 0.03);
    std::printf("%s: parts at %.4f m/s\n", name_of(bounce).c_str(), parts_at(simulation, false));
    EXPECT_EQ(parts_at(simulation, false) < 0.51, method.bounds_restitution) << method.name;
    EXPECT_GT(parts_at(simulation, false), -0.01) << method.name;
  }
}

/// Beside the middle, with spin: both momenta stay, and the books balance, whoever looks.
TEST(Restitution, KeepsMomentaAndLooksTheSameToAMovingObserver) {
  for (const double young : {1e5, 1e9})
    for (const double e : {0.0, 0.5}) {
      Bounce bounce{.integrator = "discrete-gradient", .e = e, .h = 1.0 / 240, .young = young, .on_ball = true};
      bounce.aside = {0.02, 0, 0.01};
      bounce.turn = 0.3;
      Simulation still = simulate(bounce);
      bounce.boost = {1.5, -0.7, 0.4};
      Simulation moving = simulate(bounce);
      const LedgerRow start = still.ledger();
      run(still, 0.05);
      run(moving, 0.05);
      const LedgerRow& row = still.ledger();
      const std::string name = name_of(bounce);
      EXPECT_GT(row.damping_loss, 0.05 * start.kinetic) << name;
      EXPECT_LT(std::abs(row.residual), 1e-7 * start.kinetic) << name;
      EXPECT_LT((row.linear - start.linear).norm(), 1e-9 * start.linear.norm()) << name;
      EXPECT_LT((row.angular - start.angular).norm(), 1e-6 * start.linear.norm() * bounce.radius) << name;
      EXPECT_LT((mean_velocity(moving, 0) - bounce.boost - mean_velocity(still, 0)).norm(), 1e-6) << name;
      EXPECT_NEAR(moving.ledger().damping_loss, row.damping_loss, 1e-6 * start.kinetic) << name;
    }
}

/// What lifts a block is not contact: restitution does not hold on to it.
TEST(Restitution, DoesNotHoldOnToWhatIsLifted) {
  double heights[2];
  for (const double e : {0.0, 1.0}) {
    Model model;
    const BodyId block =
        model.add(SolidOptions{.mesh = make_cube({.size = 0.1, .cells = 1}), .material = soft(1e6), .density = 1000});
    add_collider(model, {.shape = PlaneShape{}, .law = ColliderLaw::barrier});
    add_self_contact(model, {.restitution = e});
    model.set_gravity({0, -9.81, 0});
    model.push(block, {.vertices = {0, 1, 2, 3, 4, 5, 6, 7},
                       .keys = {{.time = 0.1}, {.time = 0.1001, .force = {0, 2, 0}}, {.time = 1, .force = {0, 2, 0}}}});
    State state = model.rest_state();
    move(model, state, block, Eigen::Matrix3d::Identity(), {0, 0.0503, 0}, Vec3::Zero());
    Simulation simulation(std::move(model), state, {.integrator = "backward-euler", .h = 1e-3});
    run(simulation, 0.3);
    heights[e == 0 ? 0 : 1] = mean_place(simulation.model(), simulation.state().x, block).y();
  }
  EXPECT_GT(heights[1], 0.15);
  EXPECT_NEAR(heights[0], heights[1], 0.01 * heights[1]);
}

}  // namespace brio
