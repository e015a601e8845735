/// Rows judge what was run: with an integrator that loses a fiftieth of all velocities in every step, hardly to be seen
/// in a picture, their claims fail.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "brio/integrators.h"
#include "experiments/experiment.h"

namespace brio {
namespace {

class Lossy final : public Integrator {
 public:
  explicit Lossy(std::unique_ptr<Integrator> sound) : sound_(std::move(sound)) {}
  using Integrator::step;
  StepReport step(const Model& model, State& state, const TimeStep& step) override {
    const StepReport report = sound_->step(model, state, step);
    for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] *= 0.98;
    return report;
  }
  bool limits_paths() const override { return sound_->limits_paths(); }
  bool accounts_for_all() const override { return sound_->accounts_for_all(); }
  bool fits(const Memory& memory, const Model& model) const override { return sound_->fits(memory, model); }
  void disturbed(State& state) const override { sound_->disturbed(state); }

 private:
  std::unique_ptr<Integrator> sound_;
};

constexpr std::array sound{"avf", "variational", "symplectic-euler", "verlet", "newmark"};

template <std::size_t k>
std::unique_ptr<Integrator> make_lossy(const IntegratorOptions& options) {
  return std::make_unique<Lossy>(find_integrator(sound[k]).make(options));
}

template <std::size_t... k>
std::string broken(const std::string& name, std::index_sequence<k...>) {
  using Make = std::unique_ptr<Integrator> (*)(const IntegratorOptions&);
  constexpr std::array<Make, sizeof...(k)> makers{&make_lossy<k>...};
  const auto place = static_cast<std::size_t>(std::ranges::find(sound, name) - sound.begin());
  Method method = find_integrator(name);
  if (std::ranges::count(integrators(), "lossy-" + name, &Method::name) > 0) return "lossy-" + name;
  method.name = "lossy-" + name;
  method.aliases.clear();
  method.dynamic = false;  // rows that go through the registry leave it out
  method.make = makers.at(place);
  register_integrator(method);
  return method.name;
}

struct Case {
  const char* row;
  const char* integrator;
};

class Broken : public testing::TestWithParam<Case> {};

}  // namespace

TEST_P(Broken, IntegratorMakesTheRowFail) {
  const auto [row, integrator] = GetParam();
  const Experiment& experiment = find_experiment(row);
  const std::string name = broken(integrator, std::make_index_sequence<sound.size()>());
  EXPECT_FALSE(experiment.run({.stand_ins = {{integrator, name}}}).expected());
}

INSTANTIATE_TEST_SUITE_P(Papers, Broken,
                         testing::Values(Case{"s0-fig2", "avf"}, Case{"s0-fig3", "avf"}, Case{"s0-bunny", "avf"},
                                         Case{"s0-dragon", "avf"}, Case{"s0-bar", "avf"}, Case{"s0-ditto", "avf"},
                                         Case{"s0-sheet", "avf"}, Case{"s2-pendulum", "symplectic-euler"},
                                         Case{"s2-pendulum", "verlet"}, Case{"s3-fig1", "variational"},
                                         Case{"s3-fig2-3", "variational"}, Case{"s4-orders", "newmark"}),
                         [](const testing::TestParamInfo<Case>& test) {
                           std::string name = std::string(test.param.row) + "_" + test.param.integrator;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace brio
