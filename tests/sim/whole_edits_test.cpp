/// Steps and edits that cannot be done leave everything as it was; ids and motions by hand survive what comes between.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "brio/energy.h"
#include "driven_testing.h"

namespace brio {
namespace {

/// An energy of someone else, with a mistake in it.
class Faulty final : public Energy {
 public:
  Faulty(std::shared_ptr<int> calls, int fatal) : calls_(std::move(calls)), fatal_(fatal) {}
  std::string name() const override { return "faulty"; }
  std::size_t elements() const override { return 1; }
  int force_degree() const override { return 1; }
  bool has_rest_shape() const override { return false; }
  void set_rest(const NodalField&) override {}
  std::unique_ptr<Energy> clone() const override { return std::make_unique<Faulty>(*this); }
  double value(const Configuration&) const override {
    if (++*calls_ == fatal_) throw std::runtime_error("a mistake");
    return 0;
  }
  double gradient(const Configuration& at, const Weights&, NodalField&) const override { return value(at); }
  double hessian(const Configuration& at, const Weights&, Projection, NodalField&, BlockMatrix&) const override {
    return value(at);
  }
  void laplacian(double, std::span<double>) const override {}
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}

 private:
  std::shared_ptr<int> calls_;
  int fatal_;
};

/// Calls `edit`, which is refused, and looks whether anything has changed.
void expect_refused(Simulation& simulation, const char* what, const std::function<void()>& edit) {
  const std::uint64_t hash = simulation.hash();
  const LedgerRow row = simulation.ledger();
  const Damping damping = simulation.model().damping();
  const Vec3 gravity = simulation.model().gravity();
  EXPECT_THROW(edit(), InputError) << what;
  EXPECT_EQ(simulation.hash(), hash) << what;
  EXPECT_EQ(simulation.ledger().total, row.total) << what;
  EXPECT_EQ(simulation.ledger().user_work, row.user_work) << what;
  EXPECT_EQ(measure(simulation.model(), simulation.state()).total, row.total) << what;
  EXPECT_EQ(simulation.model().damping().strain, damping.strain) << what;
  EXPECT_EQ(simulation.model().damping().s0_mass, damping.s0_mass) << what;
  EXPECT_EQ(simulation.model().gravity(), gravity) << what;
  EXPECT_TRUE(simulation.step().ok()) << what;
  EXPECT_TRUE(simulation.ledger().finite()) << what;
}

}  // namespace

TEST(WholeSteps, WhatAnEnergyOfOthersThrowsLeavesStateAndLedgerForEveryMethod) {
  for (const Method& method : integrators()) {
    int thrown = 0;
    for (const int fatal : {60, 85, 130, 200}) {
      Model model = testing::hanging_bar();
      const auto calls = std::make_shared<int>(0);
      model.add(BodyId(0), std::make_unique<Faulty>(calls, fatal));
      const SimulationOptions options{.integrator = method.name, .h = 1e-4};
      Simulation simulation(model, options);
      Snapshot before = simulation.snapshot();
      bool threw = false;
      try {
        for (int k = 0; k < 20; ++k) {
          before = simulation.snapshot();
          ASSERT_TRUE(simulation.step(5).ok()) << method.name;
        }
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "a mistake");
        threw = true;
      }
      if (!threw) continue;
      ++thrown;
      Simulation straight(testing::hanging_bar(), options);
      while (straight.state().step < before.state.step) ASSERT_TRUE(straight.step(5).ok());
      EXPECT_EQ(simulation.ledger().total, before.ledger.total) << method.name;
      EXPECT_EQ(simulation.hash(), straight.hash()) << method.name << ", " << fatal;
      // It goes on as if nothing had happened.
      ASSERT_TRUE(simulation.step(5).ok());
      ASSERT_TRUE(straight.step(5).ok());
      EXPECT_EQ(simulation.hash(), straight.hash()) << method.name << ", " << fatal;
    }
    EXPECT_GT(thrown, 0) << method.name;
  }
}

TEST(WholeEdits, ThatAreRefusedChangeNothing) {
  Simulation simulation(testing::hanging_bar(), {.integrator = "variational", .h = 1e-3, .options = {.order = 4}});
  ASSERT_TRUE(simulation.step(3).ok());
  const std::vector<int> some{5};
  expect_refused(simulation, "damping of strain", [&] { simulation.set_damping({.strain = 0.01}); });
  expect_refused(simulation, "damping that the method does not know", [&] { simulation.set_damping({.s0_mass = 1}); });
  expect_refused(simulation, "impulse", [&] { simulation.apply_impulse(BodyId(0), 5, {1e200, 0, 0}); });
  expect_refused(simulation, "velocity", [&] { simulation.set_velocity(BodyId(0), some, {0, 1e300, 0}); });
  expect_refused(simulation, "pins", [&] { simulation.move_pins(PinId(0), {.translate = {0, 1e200, 0}}); });
  Model high;
  Mesh mesh;
  mesh.vertices = {Vec3(0, 1e10, 0)};
  high.add(ParticlesOptions{.mesh = mesh});
  Simulation particle(high, {.h = 1e-3});
  expect_refused(particle, "gravity", [&] { particle.set_gravity({0, -1e300, 0}); });
}

TEST(WholeEdits, AMaterialThatCannotTakeTheShapeIsRefused) {
  Model model = testing::hanging_bar();
  State mirrored = model.rest_state();
  for (std::size_t i = 0; i < model.vertices(); ++i)
    if (model.pinned()[i] == 0) mirrored.x[i].x() = -mirrored.x[i].x() - 2;
  Simulation simulation(model, mirrored, {.integrator = "backward-euler", .h = 1e-3});
  const Snapshot moment = simulation.snapshot();
  const Material barrier{.name = "neo-hookean", .mu = 2e4, .lambda = 2e4};
  expect_refused(simulation, "material", [&] { simulation.set_material(BodyId(0), barrier); });
  // Nor does a snapshot come back that a material chosen since cannot take.
  Simulation other(model, {.integrator = "backward-euler", .h = 1e-3});
  other.set_material(BodyId(0), barrier);
  expect_refused(other, "snapshot", [&] { other.restore(moment); });
}

TEST(WholeEdits, DampingOfAnyKindDoesNotCloseTheWayBack) {
  for (const Damping& damping : {Damping{.relative = 1}, Damping{.per_step = 0.1}, Damping{.drag = 0.01}}) {
    Simulation simulation(testing::hanging_bar(), {.integrator = "avf", .h = 1e-2});
    ASSERT_TRUE(simulation.step(3).ok());
    const Snapshot moment = simulation.snapshot();
    ASSERT_TRUE(simulation.step(3).ok());
    const std::uint64_t end = simulation.hash();
    simulation.restore(moment);
    simulation.set_damping(damping);
    ASSERT_TRUE(simulation.step(3).ok());
    EXPECT_NE(simulation.hash(), end);
    simulation.set_damping({});
    ASSERT_NO_THROW(simulation.restore(moment));
    ASSERT_TRUE(simulation.step(3).ok());
    EXPECT_EQ(simulation.hash(), end);
  }
}

TEST(WholeEdits, TheEnergyOfASnapshotIsThatOfTheModelThatItComesTo) {
  Simulation one(testing::hanging_bar(), {.integrator = "avf", .h = 1e-2}),
      other = Simulation(testing::hanging_bar(), {.h = 1e-2});
  one.set_gravity({0, -1, 0});
  other.use({.integrator = "avf", .h = 1e-2});
  other.set_gravity({0, -20, 0});  // as many changes, but not the same
  ASSERT_TRUE(one.step(3).ok());
  other.restore(one.snapshot());
  EXPECT_EQ(other.ledger().total, measure(other.model(), other.state()).total);
  ASSERT_TRUE(other.step(3).ok());
  EXPECT_LT(std::abs(other.ledger().residual), 1e-9);
}

TEST(Hands, OfASnapshotKeepTheirIdsToThemselves) {
  Simulation one(testing::hanging_bar(), {.integrator = "avf", .h = 1e-2}),
      other(testing::hanging_bar(), {.integrator = "avf", .h = 1e-2});
  const GrabId first = one.grab(BodyId(0), BodyPoint::at_vertex(5), 100);
  other.restore(one.snapshot());
  const GrabId second = other.grab(BodyId(0), BodyPoint::at_vertex(7), 50);
  EXPECT_NE(first, second);
  EXPECT_EQ(other.held(second).second, Vec3(other.state().x[7]));
  other.let_go(second);
  EXPECT_EQ(other.held(first).second, Vec3(other.state().x[5]));
}

/// The next step is the next step, however long it turns out to be.
TEST(Hands, AreThereAfterTheNextStepWhateverItsLength) {
  for (const double factor : {0.25, 1.0, 3.0})
    for (const bool by_snapshot : {false, true}) {
      Simulation simulation(testing::hanging_bar(), {.integrator = "avf", .h = 1e-2});
      const Vec3 to = simulation.state().x[5] + Vec3(0, 0.02, 0), pin = simulation.state().x[0];
      ASSERT_NE(simulation.model().pinned()[0], 0);
      const GrabId hand = simulation.grab(BodyId(0), BodyPoint::at_vertex(5), 100);
      simulation.move(hand, to);
      simulation.move_pins(PinId(0), {.translate = {0, 0.01, 0}});
      const Snapshot moment = simulation.snapshot();
      simulation.use({.integrator = "avf", .h = factor * 1e-2});
      if (by_snapshot) simulation.restore(moment);
      EXPECT_EQ(simulation.ledger().total, measure(simulation.model(), simulation.state()).total);
      EXPECT_NEAR(simulation.state().v[0].y(), 1 / factor, 1e-12);
      ASSERT_TRUE(simulation.step().ok());
      EXPECT_LT((simulation.held(hand).first - to).norm(), 1e-15) << factor;
      EXPECT_LT((Vec3(simulation.state().x[0]) - pin - Vec3(0, 0.01, 0)).norm(), 1e-15) << factor;
      EXPECT_EQ(simulation.state().v[0], Vec3::Zero());
      EXPECT_LT(std::abs(simulation.ledger().residual), 1e-9) << factor;
    }
}

/// A file may tell of a hand that holds vertices far from each other, whose spring would be written anywhere.
TEST(Hands, ThatHoldWhatIsNoElementAreRefused) {
  Simulation simulation(testing::hanging_bar(), {.integrator = "backward-euler", .h = 1e-2});
  const RayHit hit = simulation.pick({0.3, 5, 0.05}, {0, -1, 0});
  ASSERT_EQ(hit.body, BodyId(0));
  simulation.grab(hit.body, hit.point, 100);
  const Snapshot good = simulation.snapshot();
  EXPECT_NO_THROW(simulation.restore(good));
  int hands = 0;
  for (std::size_t k = 0; k < good.state.histories.size(); ++k) {
    if (good.state.histories[k].numbers.size() != 17) continue;
    ++hands;
    const double last = static_cast<double>(simulation.model().vertices() - 1);
    Snapshot forged = good;
    std::vector<double>& numbers = forged.state.histories[k].numbers;
    numbers[1] = 0;
    numbers[2] = numbers[3] = last;
    numbers[4] = numbers[5] = 0.5;
    numbers[6] = 0;
    EXPECT_THROW(simulation.restore(forged), InputError);
    numbers = good.state.histories[k].numbers;
    numbers[0] = 4294967295.0;  // as many hands as there are not
    EXPECT_THROW(simulation.restore(forged), InputError);
    numbers[0] = 1;
    numbers[1] = 0x1p31;
    EXPECT_THROW(simulation.restore(forged), InputError);
  }
  EXPECT_EQ(hands, 1);
}

TEST(Snapshots, AFolderIsNone) { EXPECT_THROW(load_snapshot(std::filesystem::temp_directory_path()), InputError); }

}  // namespace brio
