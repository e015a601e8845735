#include <gtest/gtest.h>

#include <cstring>

#include "integrators/testing.h"

namespace brio {
namespace {

bool same_bits(const NodalField& a, const NodalField& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(double) * NodalField::stride * a.size()) == 0;
}

Model soft_bar_of(std::array<int, 3> cells, double stiffness = 1e3) {
  Model model;
  const BodyId bar = model.add(
      SolidOptions{.mesh = make_bar({.cells = cells}), .material = {.mu = stiffness, .lambda = 4 * stiffness}});
  model.pin(bar, std::vector<int>{0, 1});
  model.set_gravity({0, -9.81, 0});
  return model;
}

}  // namespace

TEST(Determinism, EveryMethodGivesTheSameBitsForAnyNumberOfThreads) {
  const Model soft = soft_bar_of({20, 10, 10});  // more vertices than fit one chunk
  const Model stiff = soft_bar_of({20, 10, 10}, 1e6);
  ASSERT_GT(soft.vertices(), 2048u);
  for (const Method& method : integrators()) {
    const Model& model = method.dynamic ? soft : stiff;  // the soft one hangs down in a tangle
    std::vector<State> ends;
    for (const int threads : {1, 2, 3}) {
      set_threads(threads);
      State state = testing::tumbling(model);
      const auto integrator = method.make({});
      for (int i = 0; i < 3; ++i) ASSERT_TRUE(integrator->step(model, state, 1e-3).ok()) << method.name;
      ends.push_back(std::move(state));
    }
    for (const State& end : ends) {
      EXPECT_TRUE(same_bits(end.x, ends[0].x)) << method.name;
      EXPECT_TRUE(same_bits(end.v, ends[0].v)) << method.name;
    }
  }
  set_threads(0);
}

TEST(Determinism, EveryMethodContinuesFromACopyOfTheStateBitForBit) {
  const Model model = soft_bar_of({4, 2, 2});
  for (const Method& method : integrators()) {
    State state = testing::tumbling(model);
    const auto integrator = method.make({});
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(integrator->step(model, state, 2e-3).ok()) << method.name;
    State resumed = state;
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(integrator->step(model, state, 2e-3).ok()) << method.name;
    const auto fresh = method.make({});
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(fresh->step(model, resumed, 2e-3).ok()) << method.name;
    EXPECT_TRUE(same_bits(state.x, resumed.x)) << method.name;
    EXPECT_TRUE(same_bits(state.v, resumed.v)) << method.name;
  }
}

TEST(Determinism, MethodsWithAMemoryStartAfreshWhenTheStepChanges) {
  const Model model = soft_bar_of({4, 2, 2});
  for (const Method& method : integrators()) {
    State state = testing::tumbling(model);
    const auto integrator = method.make({});
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(integrator->step(model, state, 2e-3).ok()) << method.name;
    if (state.memory.fields.empty()) continue;
    State forgetful = state;
    forgetful.memory.clear();
    ASSERT_TRUE(integrator->step(model, state, 1e-3).ok());
    ASSERT_TRUE(method.make({})->step(model, forgetful, 1e-3).ok());
    EXPECT_TRUE(same_bits(state.x, forgetful.x)) << method.name;
    EXPECT_TRUE(same_bits(state.v, forgetful.v)) << method.name;
  }
}

}  // namespace brio
