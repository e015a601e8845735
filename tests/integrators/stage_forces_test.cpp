/// Integrators of others: with StageForces they do what those of brio do, without they are refused what they would get
/// wrong.
#include <gtest/gtest.h>

#include "brio/contact.h"
#include "brio/sim.h"
#include "core/counted_allocations.h"

namespace brio {
namespace {

/// rk4 as someone else would write it, in the same order of operations.
class ForeignRk4 final : public Integrator {
 public:
  using Integrator::step;
  StepReport step(const Model& model, State& state, const TimeStep& step) override {
    const std::size_t count = model.vertices();
    const double h = step.h;
    if (f_.size() != count) f_ = x_ = v_ = dx_ = dv_ = NodalField(count);
    stages_.begin(model, state, step);
    stages_.force(state.x, state.v, 0, 1.0 / 6, f_);
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3 a = f_[i] / model.mass()[i];
      dx_[i] = h / 6 * state.v[i];
      dv_[i] = h / 6 * a;
      x_[i] = state.x[i] + h / 2 * state.v[i];
      v_[i] = state.v[i] + h / 2 * a;
    }
    stages_.place(0.5, x_, v_);
    for (const double fraction : {0.5, 1.0}) {
      stages_.force(x_, v_, 0.5, 1.0 / 3, f_);
      for (std::size_t i = 0; i < count; ++i) {
        const Vec3 a = f_[i] / model.mass()[i];
        dx_[i] += h / 3 * v_[i];
        dv_[i] += h / 3 * a;
        x_[i] = state.x[i] + fraction * h * v_[i];
        v_[i] = state.v[i] + fraction * h * a;
      }
      stages_.place(fraction, x_, v_);
    }
    stages_.force(x_, v_, 1, 1.0 / 6, f_);
    for (std::size_t i = 0; i < count; ++i) {
      x_[i] = state.x[i] + dx_[i] + h / 6 * v_[i];
      v_[i] = state.v[i] + dv_[i] + h / 6 * (f_[i] / model.mass()[i]);
    }
    return stages_.finish(x_, v_, state);
  }
  bool accounts_for_all() const override { return true; }

 private:
  StageForces stages_{StageForces::Stages::rates};
  NodalField f_, x_, v_, dx_, dv_;
};

/// Knows nothing of what is driven.
class Falling final : public Integrator {
 public:
  using Integrator::step;
  StepReport step(const Model& model, State& state, const TimeStep& step) override {
    for (std::size_t i = 0; i < model.vertices(); ++i)
      if (model.pinned()[i] == 0) state.x[i] += step.h * (state.v[i] += step.h * model.gravity());
    state.time = step.end;
    ++state.step;
    return {};
  }
};

const Method& foreign_rk4() {
  static const Method method{
      .name = "foreign-rk4", .family = "explicit", .make = [](const IntegratorOptions&) -> std::unique_ptr<Integrator> {
        return std::make_unique<ForeignRk4>();
      }};
  return method;
}

const Method& falling() {
  static const Method method{
      .name = "falling", .family = "explicit", .make = [](const IntegratorOptions&) -> std::unique_ptr<Integrator> {
        return std::make_unique<Falling>();
      }};
  return method;
}

const std::vector<int> left{0, 1, 2};

struct Added {
  const char* words;  ///< of the refusal
  void (*add)(Model&, BodyId);
};

/// One of each that methods have to account for.
const Added added[]{
    {"driven from outside",
     [](Model& model, BodyId bar) {
       model.pin(bar, left, {.keys = {{.time = 0}, {.time = 0.02, .translate = {0, 0.01, 0}, .turn = {0, 0.1, 0}}}});
     }},
    {"driven from outside",
     [](Model& model, BodyId bar) {
       model.drive(model.attach(bar, {{.vertex = 3, .point = model.rest()[3]}}),
                   {.keys = {{.time = 0}, {.time = 0.1, .translate = {0, 0.05, 0}}}});
     }},
    {"driven from outside",
     [](Model& model, BodyId bar) {
       model.release(model.attach(bar, {{.vertex = 3, .point = model.rest()[3] + Vec3(0.1, 0, 0)}}), 0.005);
     }},
    {"friction",
     [](Model& model, BodyId) {
       add_collider(model, {.shape = PlaneShape{.point = {0, -0.126, 0}}, .stiffness = 1e3, .friction = 0.5});
     }},
    {"forces from outside",
     [](Model& model, BodyId bar) {
       model.push(bar, {.vertices = {4}, .keys = {{.time = 0, .force = {1, 2, 3}}, {.time = 1}}});
     }},
    {"damping of strain", [](Model& model, BodyId) { model.set_damping({.strain = 1e-3}); }},
};

Model bar_with(const Added* one) {
  Model model;
  const BodyId bar = model.add(SolidOptions{.mesh = make_bar({.size = {0.75, 0.25, 0.25}, .cells = {3, 1, 1}}),
                                            .material = {.mu = 4e3, .lambda = 3e3}});
  model.set_gravity({0, -9.81, 0});
  if (one != nullptr) one->add(model, bar);
  return model;
}

TEST(StageForces, MakeAForeignMethodTheSameAsOneOfBrioBitForBit) {
  for (const Added& one : added) {
    const Model made = bar_with(&one);
    // Simulations bind histories of interactions to states; steps are then taken by the integrators themselves.
    const Simulation start(made, {.integrator = "rk4", .h = 1e-3});
    const Model ours = start.model(), theirs = start.model();
    State a = start.state(), b = start.state();
    const auto rk4 = make_integrator(find_integrator("rk4"), {}, ours);
    const auto foreign = make_integrator(foreign_rk4(), {}, theirs);
    double work = 0;
    for (int i = 0; i < 20; ++i) {
      const StepReport expected = rk4->step(ours, a, 1e-3), got = foreign->step(theirs, b, 1e-3);
      ASSERT_TRUE(expected.ok() && got.ok()) << expected.message << got.message;
      EXPECT_EQ(got.user_work, expected.user_work) << one.words;
      EXPECT_EQ(got.damping_loss, expected.damping_loss) << one.words;
      work += std::abs(got.user_work) + got.damping_loss;
    }
    EXPECT_EQ(a.time, b.time);
    for (std::size_t i = 0; i < a.x.size(); ++i) {
      EXPECT_EQ(a.x[i], b.x[i]) << one.words;
      EXPECT_EQ(a.v[i], b.v[i]) << one.words;
    }
    EXPECT_EQ(work > 0, std::string(one.words) != "friction") << one.words;
  }
}

TEST(StageForces, PutPinsOnTheirPathsWithTheirVelocity) {
  const Model made = bar_with(&added[0]);
  const Simulation start(made, {.integrator = "rk4", .h = 1e-3});
  State state = start.state();
  ForeignRk4 foreign;
  for (int i = 0; i < 10; ++i) foreign.step(start.model(), state, 1e-3);
  const Motion path{.keys = {{.time = 0}, {.time = 0.02, .translate = {0, 0.01, 0}, .turn = {0, 0.1, 0}}}};
  for (const int vertex : left) {
    const Vec3 place = path.at(state.time).apply(made.rest()[vertex]);
    EXPECT_NEAR((state.x[vertex] - place).norm(), 0, 1e-15);
    EXPECT_NEAR((state.v[vertex] - path.rate(state.time).at(place)).norm(), 0, 1e-14);
  }
}

TEST(StageForces, AllocateNothingAfterTheFirstStep) {
  set_threads(1);
  for (const Added& one : added) {
    const Simulation start(bar_with(&one), {.integrator = "rk4", .h = 1e-3});
    State state = start.state();
    ForeignRk4 foreign;
    foreign.step(start.model(), state, 1e-3);
    const long before = testing::allocations;
    for (int i = 0; i < 3; ++i) foreign.step(start.model(), state, 1e-3);
    EXPECT_EQ(testing::allocations, before) << one.words;
  }
  set_threads(0);
}

TEST(StageForces, AStepThatIsNotFiniteLeavesTheState) {
  const Simulation start(bar_with(&added[0]), {.integrator = "rk4", .h = 1e-3});
  State state = start.state();
  state.v[8] = Vec3(1e200, 0, 0);
  const State before = state;
  ForeignRk4 foreign;
  const StepReport report = foreign.step(start.model(), state, 1e-3);
  EXPECT_FALSE(report.ok());
  EXPECT_NE(report.message.find("no longer finite"), std::string::npos) << report.message;
  EXPECT_EQ(state.step, before.step);
  EXPECT_EQ(state.x[8], before.x[8]);
}

TEST(StageForces, AMethodWithoutThemIsRefusedWhatItWouldGetWrong) {
  EXPECT_NO_THROW(make_integrator(falling(), {}, bar_with(nullptr)));
  for (const Added& one : added) {
    try {
      make_integrator(falling(), {}, bar_with(&one));
      FAIL() << one.words;
    } catch (const InputError& error) {
      const std::string what = error.what();
      EXPECT_NE(what.find(one.words), std::string::npos) << what;
      EXPECT_NE(what.find("StageForces"), std::string::npos) << what;
    }
  }
}

TEST(StageForces, AreWhatEveryMethodOfBrioHasTheLikeOf) {
  for (const Method& method : integrators()) EXPECT_TRUE(method.make({})->accounts_for_all()) << method.name;
}

}  // namespace
}  // namespace brio
