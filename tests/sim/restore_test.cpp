/// States that come back from files, which anyone may have written.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "brio/contact.h"
#include "brio/sim.h"

namespace brio {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

using Forgery = std::pair<std::string, std::function<void(Snapshot&)>>;

/// None of them is left by any method.
std::vector<Forgery> forgeries() {
  return {
      {"fewer positions", [](Snapshot& s) { s.state.x = NodalField(s.state.x.size() - 1); }},
      {"no velocities", [](Snapshot& s) { s.state.v = {}; }},
      {"a position that is none", [](Snapshot& s) { s.state.x[1].y() = nan; }},
      {"an endless velocity", [](Snapshot& s) { s.state.v[1].y() = 1 / 0.0; }},
      {"no time", [](Snapshot& s) { s.state.time = nan; }},
      {"a step below zero", [](Snapshot& s) { s.state.step = std::numeric_limits<long>::min(); }},
      {"a step beyond counting", [](Snapshot& s) { s.state.step = std::numeric_limits<long>::max(); }},
      {"one number more", [](Snapshot& s) { s.state.memory.numbers.push_back(0); }},
      {"one field more", [](Snapshot& s) { s.state.memory.fields.push_back(s.state.x); }},
      {"short fields", [](Snapshot& s) { s.state.memory.fields.assign(2, NodalField(1)); }},
      {"fields without their number",
       [](Snapshot& s) {
         s.state.memory = {.fields = {s.state.x, s.state.v, s.state.v}, .numbers = {}};
       }},
      {"a number that is none", [](Snapshot& s) { s.state.memory.numbers.assign(3, nan); }},
      {"a history too many", [](Snapshot& s) { s.state.histories.emplace_back(); }},
      {"an endless energy", [](Snapshot& s) { s.ledger.total = -1 / 0.0; }},
      {"an endless energy at the start", [](Snapshot& s) { s.start_total = 1 / 0.0; }},
      {"a clock of no step", [](Snapshot& s) { s.clock.h = nan; }},
      {"a clock that starts later", [](Snapshot& s) { s.clock.first = std::numeric_limits<long>::max(); }},
  };
}

}  // namespace

TEST(Restore, RefusesWhatNoMethodLeavesAndChangesNothing) {
  for (const Method& method : integrators()) {
    Model model;
    model.add(SolidOptions{.mesh = make_bar({.cells = {2, 1, 1}}), .density = 10});
    if (method.dynamic) model.set_gravity({0, -9.81, 0});  // else it must be held
    Simulation simulation(std::move(model), {.integrator = method.name, .h = 1e-4});
    ASSERT_TRUE(simulation.step(3).ok()) << method.name;
    const std::uint64_t hash = simulation.hash();
    for (const auto& [what, forge] : forgeries()) {
      Snapshot snapshot = simulation.snapshot();
      forge(snapshot);
      EXPECT_THROW(simulation.restore(snapshot), InputError) << method.name << ": " << what;
      EXPECT_EQ(simulation.hash(), hash) << method.name << ": " << what;
    }
    Snapshot forgotten = simulation.snapshot();
    forgotten.state.memory.clear();
    EXPECT_NO_THROW(simulation.restore(forgotten)) << method.name;
    EXPECT_TRUE(simulation.step().ok()) << method.name;
  }
}

/// Whatever an interaction remembers: shortened, lengthened or with any number replaced, it is refused, or believed
/// without harm (which the sanitizers tell).
TEST(Restore, RefusesHistoriesOfAnotherShape) {
  Model model;
  const Mesh cube = make_cube({.size = 0.2, .cells = 1});
  for (int i = 0; i < 2; ++i) {
    Mesh mesh = cube;
    for (Vec3& p : mesh.vertices) p.y() += 0.1 + 0.205 * i;
    model.add(SolidOptions{.mesh = mesh, .density = 100});
  }
  model.pin(BodyId(1), std::vector<int>{7}, {.keys = {{.time = 0}, {.time = 1, .translate = Vec3(0.01, 0, 0)}}});
  model.set_gravity({1, -9.81, 0});
  for (const ColliderLaw law : {ColliderLaw::potential, ColliderLaw::held_spring})
    add_collider(model, {.stiffness = 2e3, .friction = 0.4, .law = law});
  add_self_contact(model, {.thickness = 0.01, .friction = 0.5});
  Simulation simulation(std::move(model), {.integrator = "backward-euler", .h = 5e-3});
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(simulation.step().ok());
  const Snapshot good = simulation.snapshot();
  int remembered = 0, refused = 0;
  const auto attempt = [&](const Snapshot& forged, bool goes_on = true) {
    try {
      simulation.restore(forged);
      if (goes_on) simulation.step();
      return true;
    } catch (const InputError& error) {
      const std::string complaint = error.what();
      EXPECT_TRUE(complaint.find("is the history of something else") != std::string::npos ||
                  complaint.find("has infinite energy") != std::string::npos)
          << complaint;
      ++refused;
      return false;
    }
  };
  for (std::size_t k = 0; k < good.state.histories.size(); ++k) {
    const std::size_t size = good.state.histories[k].numbers.size();
    if (size == 0) continue;  // hands that hold nothing
    remembered += size > 1 ? 1 : 0;
    Snapshot forged = good;
    std::vector<double>& numbers = forged.state.histories[k].numbers;
    for (const std::size_t length : {std::size_t{1}, size / 2 + 1, size - 1, size + 1, size + 8}) {
      numbers = good.state.histories[k].numbers;
      numbers.resize(length);
      if (length > 0 && length != size) attempt(forged);
    }
    for (std::size_t place = 0; place < std::min<std::size_t>(size, 20); ++place)
      for (const double number : {nan, 1e300, -1.0, 0.5, 1e6}) {
        numbers = good.state.histories[k].numbers;
        numbers[place] = number;
        EXPECT_FALSE(number != number && attempt(forged));
        attempt(forged, false);  // where it may lead is a matter of numbers
      }
    forged = good;
    forged.state.histories[k].fields.emplace_back(3);
    EXPECT_FALSE(attempt(forged)) << k;
  }
  EXPECT_EQ(remembered, 4) << "all of them have something to remember";
  EXPECT_GT(refused, 50);
  EXPECT_TRUE(attempt(good));
}

TEST(Restore, RefusesHandsThatAreStifferThanAnybodyMayGive) {
  constexpr double stiffness = 217;
  Model model;
  const BodyId cube = model.add(SolidOptions{.mesh = make_cube({.size = 0.2, .cells = 1}), .density = 100});
  Simulation simulation(std::move(model), {.integrator = "backward-euler", .h = 5e-3});
  simulation.grab(cube, BodyPoint::at_vertex(0), stiffness);
  const Snapshot good = simulation.snapshot();
  int found = 0;
  for (std::size_t k = 0; k < good.state.histories.size(); ++k)
    for (std::size_t place = 0; place < good.state.histories[k].numbers.size(); ++place) {
      if (good.state.histories[k].numbers[place] != stiffness) continue;
      ++found;
      Snapshot forged = good;
      double& number = forged.state.histories[k].numbers[place];
      number = 1e15;
      EXPECT_NO_THROW(simulation.restore(forged));
      for (const double value : {1.1e15, 1e300, 0.0, -1.0}) {
        number = value;
        EXPECT_THROW(simulation.restore(forged), InputError) << value;
      }
    }
  EXPECT_EQ(found, 1);
}

TEST(Restore, BooksWhatChangesOfTheModelMakeOfTheEnergy) {
  Model model;
  const BodyId bar = model.add(SolidOptions{.mesh = make_bar({.cells = {3, 1, 1}}), .density = 10});
  model.set_gravity({0, -9.81, 0});
  Simulation simulation(std::move(model), {.integrator = "avf", .h = 0.01});
  ASSERT_TRUE(simulation.step(5).ok());
  simulation.apply_impulse(bar, 0, {0.1, 0.2, 0});
  ASSERT_TRUE(simulation.step(5).ok());
  const Snapshot moment = simulation.snapshot();
  const std::pair<const char*, std::function<void()>> edits[]{
      {"gravity",
       [&] {
         simulation.set_gravity({0, -1.6, 0});
       }},
      {"material", [&] { simulation.set_material(bar, {.name = "stvk", .mu = 5e4, .lambda = 1e5}); }}};
  for (const auto& [name, edit] : edits) {
    edit();
    ASSERT_TRUE(simulation.step(3).ok());
    simulation.restore(moment);
    EXPECT_EQ(simulation.ledger().total, measure(simulation.model(), simulation.state()).total) << name;
    EXPECT_NE(simulation.ledger().user_work, moment.ledger.user_work) << name;
    ASSERT_TRUE(simulation.step(10).ok());
    EXPECT_LT(std::abs(simulation.ledger().residual), 1e-9 * std::abs(moment.ledger.total)) << name;
  }
}

}  // namespace brio
