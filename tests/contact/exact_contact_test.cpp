/// avf through contact: total energy to the last digits at one step per frame, whatever meets whatever.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

#include "contact/contact_scenes.h"
#include "core/threads.h"

namespace brio {
using namespace testing;

namespace {

struct Law {
  double k, dhat;  ///< [N/m], [m]
};
constexpr Law soft_law{1e3, 2e-2}, stiff_law{1e6, 1e-3};

/// One of the bodies of a scene.
struct Piece {
  Vec3 size{0.2, 0.2, 0.2};
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  Vec3 at = Vec3::Zero(), velocity = Vec3::Zero(), spin = Vec3::Zero();
  bool fixed = false;
};

struct Meeting {
  const char* name;
  std::vector<Piece> pieces;
  double gravity = 0;
  int steps = 20;
};

const Eigen::Matrix3d on_corner = turned(std::atan(std::sqrt(2.0)), {1, -1, 0});
const Eigen::Matrix3d about_x = turned(std::numbers::pi / 4, {1, 0, 0}),
                      about_y = turned(std::numbers::pi / 4, {0, 1, 0});

std::vector<Meeting> meetings_of_free_bodies() {
  return {
      {"corner on face",
       {{.velocity = {0, 0, 0.5}}, {.turn = on_corner, .at = {0.031, 0.017, 0.3}, .velocity = {0, 0, -1}}}},
      {"edge on edge",
       {{.turn = about_x, .velocity = {0, 0, 0.5}},
        {.turn = about_y, .at = {0.02, 0.01, 0.31}, .velocity = {0.1, 0, -1}}}},
      {"parallel edges", {{.turn = about_x}, {.turn = about_x, .at = {0.03, 0, 0.32}, .velocity = {0, 0, -1}}}},
      {"face on face", {{}, {.at = {0, 0, 0.25}, .velocity = {0, 0, -1}}}},
  };
}

std::vector<Meeting> meetings_with_fixed_bodies() {
  return {
      {"on the edge of a fixed box",
       {{.size = {0.3, 0.1, 0.3}, .turn = about_y, .at = {0, 0, -0.212}, .fixed = true},
        {.turn = turned(0.3, {0, 0, 1}), .at = {0.03, 0, 0.12}, .velocity = {0.1, 0, -1}}}},
      {"on the corner of a fixed box",
       {{.size = {0.3, 0.3, 0.3}, .turn = on_corner, .at = {0, 0, -0.26}, .fixed = true},
        {.turn = turned(0.3, {0, 0, 1}), .at = {0.02, 0.01, 0.115}, .velocity = {0.1, 0.05, -1}}}},
      {"sheet on a thin pole, 3 m/s",
       {{.size = {0.02, 1, 0.02}, .at = {0, 0, -0.01}, .fixed = true},
        {.size = {0.6, 0.6, 0.04}, .turn = turned(0.02, {1, 1, 0}), .at = {0.05, 0, 0.08}, .velocity = {1, 0, -3}}}},
      {"sliding and tumbling off a slab",
       {{.size = {0.5, 0.5, 0.1}, .at = {0, 0, -0.05}, .fixed = true},
        {.turn = turned(0.4, {0, 0, 1}) * turned(0.1, {1, 0.3, 0}),
         .at = {-0.2, -0.1, 0.12},
         .velocity = {2, 0.7, -0.5},
         .spin = {1, 2, 3}}},
       9.81,
       30},
  };
}

std::vector<Meeting> all_meetings() {
  std::vector<Meeting> list = meetings_of_free_bodies();
  for (Meeting& meeting : meetings_with_fixed_bodies()) list.push_back(std::move(meeting));
  return list;
}

struct Trial {
  std::string integrator = "avf";
  double h = 1.0 / 60;
  Law law = soft_law;
  Material material{.name = "stvk", .mu = 2e4, .lambda = 3e4};
  double friction = 0, damper = 0, restitution = 1;
  Vec3 boost = Vec3::Zero();
};

Simulation simulate(const Meeting& meeting, const Trial& trial) {
  Model model;
  for (const Piece& piece : meeting.pieces) {
    const BodyId body =
        model.add(SolidOptions{.mesh = make_bar({.size = piece.size, .cells = {1, 1, 1}, .split = "six"}),
                               .material = trial.material,
                               .density = 1000});
    std::vector<int> all(model.body(body).mesh.vertices.size());
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<int>(k);
    if (piece.fixed) {
      Motion motion;
      if (!trial.boost.isZero()) motion.keys = {{.time = 0}, {.time = 10, .translate = 10 * trial.boost}};
      model.pin(body, all, motion);
    }
  }
  model.set_gravity({0, 0, -meeting.gravity});
  add_self_contact(model, {.thickness = trial.law.dhat,
                           .stiffness = trial.law.k,
                           .friction = trial.friction,
                           .damper = trial.damper,
                           .restitution = trial.restitution,
                           .self = false});
  State state = model.rest_state();
  for (std::size_t b = 0; b < meeting.pieces.size(); ++b) {
    const Piece& piece = meeting.pieces[b];
    const Body& body = model.bodies()[b];
    move(model, state, body.id, piece.turn, piece.at, piece.velocity + trial.boost);
    for (std::size_t k = 0; k < body.mesh.vertices.size(); ++k) {
      const std::size_t i = body.first_vertex + k;
      state.v[i] += piece.spin.cross(Vec3(state.x[i]) - piece.at);
    }
  }
  return {std::move(model), state, {.integrator = trial.integrator, .h = trial.h}};
}

struct Outcome {
  double energy = 0;               ///< largest residual of the ledger, of what is in play
  double linear = 0, angular = 0;  ///< change of the momenta, of m v and m v L
  double contact = 0;              ///< largest energy of contact, of what is in play
  int halvings = 0, iterations = 0;
  bool unconverged = false, crossed = false;
};

/// Of different bodies: the test lets them pass through themselves.
bool cross(const Simulation& simulation, const std::vector<ContactSurface>& surfaces) {
  const int second = simulation.model().bodies()[1].first_vertex;
  return std::ranges::any_of(find_crossings(surfaces, simulation.state().x),
                             [&](const Crossing& one) { return (one.edge[0] < second) != (one.triangle[0] < second); });
}

Outcome watch(const Meeting& meeting, const Trial& trial) {
  Simulation simulation = simulate(meeting, trial);
  const LedgerRow start = simulation.ledger();
  const auto surfaces = all_surfaces(simulation.model());
  double mass = 0;
  for (const double m : simulation.model().mass()) mass += m;
  const double scale = start.kinetic + 0.2 * mass * meeting.gravity;
  Outcome out;
  for (int n = 0; n < meeting.steps; ++n) {
    const StepReport report = simulation.step();
    EXPECT_TRUE(report.ok()) << meeting.name << ": " << report.message;
    if (!report.ok()) break;
    const LedgerRow& row = simulation.ledger();
    out.energy = std::max(out.energy, std::abs(row.residual) / scale);
    out.contact = std::max(out.contact, row.contact / scale);
    out.halvings += report.halvings;
    out.iterations = std::max(out.iterations, report.iterations);
    out.unconverged = out.unconverged || report.unconverged;
    out.crossed = out.crossed || cross(simulation, surfaces);
  }
  const double impulse = std::sqrt(2 * start.kinetic * mass);
  out.linear = (simulation.ledger().linear - start.linear).norm() / impulse;
  out.angular = (simulation.ledger().angular - start.angular).norm() / (0.2 * impulse);
  return out;
}

std::string name_of(const Meeting& meeting, const Trial& trial) {
  return fmt::format("{}, {}, h = 1/{:.0f}, k = {:g}", trial.integrator, meeting.name, 1 / trial.h, trial.law.k);
}

void expect_exact(const Meeting& meeting, const Trial& trial, const Outcome& out) {
  const std::string name = name_of(meeting, trial);
  std::printf("%-70s energy %.1e linear %.1e angular %.1e contact %.2f iterations %3d halvings %d\n", name.c_str(),
              out.energy, out.linear, out.angular, out.contact, out.iterations, out.halvings);
  EXPECT_LT(out.energy, 1e-8) << name;
  EXPECT_FALSE(out.unconverged) << name;
  EXPECT_FALSE(out.crossed) << name;
}

const std::vector<Trial>& trials() {
  static const std::vector<Trial> list{{.h = 1.0 / 60, .law = soft_law},
                                       {.h = 1.0 / 24, .law = soft_law},
                                       {.h = 1.0 / 60, .law = stiff_law},
                                       {.h = 1.0 / 24, .law = stiff_law}};
  return list;
}

}  // namespace

TEST(ExactContact, AvfKeepsEnergyAndLinearMomentumThroughCollisionsAtOneStepPerFrame) {
  for (const Trial& trial : trials())
    for (const Meeting& meeting : meetings_of_free_bodies()) {
      const Outcome out = watch(meeting, trial);
      expect_exact(meeting, trial, out);
      EXPECT_LT(out.linear, 1e-10) << name_of(meeting, trial);
    }
}

TEST(ExactContact, AvfKeepsEnergyOnFixedBodies) {
  for (const Trial& trial : trials())
    for (const Meeting& meeting : meetings_with_fixed_bodies()) expect_exact(meeting, trial, watch(meeting, trial));
}

/// Where elasticity turns nothing, contact turns nothing either.
TEST(ExactContact, AddsNoAngularMomentum) {
  for (Trial trial : trials())
    for (const Meeting& meeting : meetings_of_free_bodies()) {
      trial.integrator = "discrete-gradient";
      const Outcome out = watch(meeting, trial);
      expect_exact(meeting, trial, out);
      EXPECT_LT(out.linear, 1e-10) << name_of(meeting, trial);
      EXPECT_LT(out.angular, 1e-8) << name_of(meeting, trial);
    }
}

TEST(ExactContact, GoesTogetherWithMaterialsWhosePathsAreRefined) {
  const Material materials[]{{.name = "corotated", .mu = 2e4, .lambda = 3e4},
                             {.name = "neo-hookean", .mu = 2e4, .lambda = 3e4},
                             {.name = "mooney-rivlin", .kappa = 4e4, .a = 5e3, .b = 5e3}};
  for (const Material& material : materials)
    for (Trial trial : trials()) {
      trial.material = material;
      for (const Meeting& meeting : {meetings_of_free_bodies()[0], meetings_with_fixed_bodies()[0]})
        expect_exact(meeting, trial, watch(meeting, trial));
    }
}

/// The work of friction is booked, whether it sticks, slips, or both within one step.
TEST(ExactContact, KeepsItsBooksWithFriction) {
  for (Trial trial : trials()) {
    trial.friction = 0.4;
    for (const Meeting& meeting : all_meetings()) expect_exact(meeting, trial, watch(meeting, trial));
  }
}

TEST(ExactContact, KeepsItsBooksWithADamper) {
  for (Trial trial : trials()) {
    trial.damper = 0.5;
    for (const Meeting& meeting : all_meetings()) {
      expect_exact(meeting, trial, watch(meeting, trial));
      Simulation simulation = simulate(meeting, trial);
      double lost = 0;
      for (int n = 0; n < meeting.steps; ++n) {
        const StepReport report = simulation.step();
        ASSERT_TRUE(report.ok()) << report.message;
        EXPECT_GE(report.contact_loss, 0);
        lost += report.contact_loss;
      }
      EXPECT_GT(lost, 0) << name_of(meeting, trial);
      EXPECT_NEAR(lost, simulation.ledger().damping_loss, 1e-12 * lost) << name_of(meeting, trial);
    }
  }
}

Mesh triangle(double size) {
  Mesh mesh;
  for (int i = 0; i < 3; ++i)
    mesh.vertices.push_back(size *
                            Vec3(std::sin(2 * std::numbers::pi * i / 3), 0, std::cos(2 * std::numbers::pi * i / 3)));
  mesh.triangles.push_back({0, 1, 2});
  return mesh;
}

/// A plate that touches with all of its vertices alike is a point mass.
TEST(ExactContact, RestitutionIsExactForAPointMassAtAnyStep) {
  for (const char* integrator : {"avf", "discrete-gradient", "backward-euler"})
    for (const double e : {0.0, 0.5, 0.8})
      for (const double h : {1.0 / 24, 1.0 / 60, 1.0 / 240}) {
        Model model;
        const BodyId ground = model.add(ClothOptions{.mesh = triangle(2), .mass = 1});
        model.pin(ground, std::vector<int>{0, 1, 2});
        const BodyId plate = model.add(ClothOptions{.mesh = triangle(0.1), .mass = 0.4});
        add_self_contact(model, {.thickness = 5e-3, .stiffness = 1e5, .restitution = e});
        State state = model.rest_state();
        move(model, state, plate, Eigen::Matrix3d::Identity(), {0.1, 0.055, 0.07}, {0.3, -1, 0});
        Simulation simulation(std::move(model), state, {.integrator = integrator, .h = h});
        double lost = 0;
        while (simulation.state().time < 0.3) {
          const StepReport report = simulation.step();
          ASSERT_TRUE(report.ok()) << report.message;
          lost += report.contact_loss;
        }
        const std::string name = fmt::format("{}, e = {}, h = {}", integrator, e, h);
        const LedgerRow& row = simulation.ledger();
        std::printf("%s: parts at %.9f m/s, lost %.9f of 0.2 J, residual %.1e\n", name.c_str(), row.linear[1] / 0.4,
                    lost, row.residual);
        EXPECT_NEAR(row.linear[0] / 0.4, 0.3, 1e-9) << name;
        if (integrator == std::string("backward-euler")) {  // which loses more by itself
          EXPECT_LT(row.linear[1] / 0.4, e + 1e-9) << name;
          continue;
        }
        EXPECT_NEAR(row.linear[1] / 0.4, e, 1e-9) << name;
        EXPECT_NEAR(lost, 0.2 * (1 - e * e), 1e-9) << name;
        EXPECT_LT(std::abs(row.residual), 1e-8) << name;
      }
}

/// A slab that swings up and turns hits a cube: what it gives is its work, to the last digits.
TEST(ExactContact, BooksTheWorkOfDrivenBodies) {
  for (const Trial& trial : trials())
    for (const double friction : {0.0, 0.5}) {
      Model model;
      const BodyId slab = model.add(
          SolidOptions{.mesh = make_bar({.size = {0.6, 0.6, 0.1}, .cells = {2, 2, 1}}), .material = soft(1e4)});
      model.add(
          SolidOptions{.mesh = make_cube({.size = 0.2, .cells = 1}), .material = trial.material, .density = 1000});
      std::vector<int> all(model.body(slab).mesh.vertices.size());
      for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<int>(k);
      model.pin(slab, all,
                {.keys = {{.time = 0}, {.time = 0.5, .translate = {0.05, 0, 0.15}, .turn = {0.3, 0.2, 1}}},
                 .interpolation = Motion::Interpolation::smooth});
      model.set_gravity({0, 0, -9.81});
      add_self_contact(model, {.thickness = trial.law.dhat, .stiffness = trial.law.k, .friction = friction});
      State state = model.rest_state();
      move(model, state, BodyId(1), turned(0.1, {1, 0.4, 0}), {0.05, 0.02, 0.2}, {0, 0, 0});
      Simulation simulation(std::move(model), state, {.integrator = "avf", .h = trial.h});
      double worst = 0, contact = 0;
      while (simulation.state().time < 0.5) {
        const StepReport report = simulation.step();
        ASSERT_TRUE(report.ok()) << report.message;
        EXPECT_FALSE(report.unconverged);
        worst = std::max(worst, std::abs(simulation.ledger().residual));
        contact = std::max(contact, simulation.ledger().contact);
      }
      const double work = simulation.ledger().user_work;
      std::printf("driven, h = 1/%.0f, k = %g, friction %g: residual %.1e of work %.1f J\n", 1 / trial.h, trial.law.k,
                  friction, worst / work, work);
      EXPECT_GT(contact, 0);
      EXPECT_GT(work, 5);
      EXPECT_LT(worst, 1e-8 * work);
    }
}

TEST(ExactContact, AvfKeepsTheEnergyOfWiresThatMeet) {
  for (const double h : {1.0 / 240, 1.0 / 60}) {
    Model model;
    const Mesh line = make_line({.length = 1, .segments = 12});
    for (int w = 0; w < 2; ++w) model.add(WireOptions{.mesh = line, .radius = 0.02, .stiffness = 2000, .mass = 0.1});
    add_self_contact(model, {});
    State state = model.rest_state();
    move(model, state, BodyId(0), turned(0.05, {0, 0, 1}), {0, 0.08, 0}, {0, -2, 0});
    move(model, state, BodyId(1), turned(1.4, {0, 1, 0}), {0.02, 0, 0}, {0, 2, 0});
    Simulation simulation(std::move(model), state, {.integrator = "avf", .h = h});
    const auto surfaces = all_surfaces(simulation.model());
    const LedgerRow start = simulation.ledger();
    double contact = 0, error = 0;
    while (simulation.state().time < 0.2) {
      const NodalField before = simulation.state().x;
      const StepReport report = simulation.step();
      ASSERT_TRUE(report.ok()) << report.message;
      EXPECT_FALSE(report.unconverged);
      ASSERT_FALSE(went_through(surfaces, before, simulation.state().x));
      contact = std::max(contact, simulation.ledger().contact / start.total);
      error = std::max(error, std::abs(simulation.ledger().residual) / start.total);
    }
    std::printf("wires, h = 1/%.0f: energy %.1e, contact %.2f\n", 1 / h, error, contact);
    EXPECT_GT(contact, 0.05);
    EXPECT_LT(error, 1e-8);
    EXPECT_LT((simulation.ledger().linear - start.linear).norm(), 1e-10 * 0.2);
  }
}

TEST(ExactContact, LooksTheSameToAMovingObserver) {
  for (const Meeting& meeting : all_meetings()) {
    Trial trial;
    trial.law = {1e5, 5e-3};
    Simulation still = simulate(meeting, trial);
    trial.boost = {1.5, -0.7, 0.4};
    Simulation moving = simulate(meeting, trial);
    for (int n = 0; n < 8; ++n) {
      ASSERT_TRUE(still.step().ok()) << meeting.name;
      ASSERT_TRUE(moving.step().ok()) << meeting.name;
    }
    double worst = 0;
    for (std::size_t i = 0; i < still.state().x.size(); ++i)
      worst =
          std::max(worst, Vec3(moving.state().x[i] - moving.state().time * trial.boost - still.state().x[i]).norm());
    EXPECT_LT(worst, 1e-7) << meeting.name;
    EXPECT_LT(std::abs(moving.ledger().residual), 1e-8 * moving.ledger().kinetic) << meeting.name;
  }
}

TEST(ExactContact, HasTheSameBitsForAnyNumberOfThreadsAndAfterARestore) {
  const Meeting meeting = meetings_of_free_bodies()[1];
  std::vector<std::uint64_t> hashes;
  for (const int count : {1, 2, 3}) {
    set_threads(count);
    Simulation simulation = simulate(meeting, {.law = stiff_law, .friction = 0.3, .damper = 0.1, .restitution = 0.7});
    ASSERT_TRUE(simulation.step(8).ok());
    const Snapshot snapshot = simulation.snapshot();
    ASSERT_TRUE(simulation.step(6).ok());
    hashes.push_back(simulation.hash());
    simulation.restore(snapshot);
    ASSERT_TRUE(simulation.step(6).ok());
    hashes.push_back(simulation.hash());
  }
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes[0]);
  set_threads(0);
}

}  // namespace brio
