/// Up to which step methods bear large strains, as the registry declares it: Method::resolves.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "brio/sim.h"
#include "model/only_known.h"

namespace brio {
namespace {

struct ViolentStart {
  const char* name;
  void (*place)(NodalField& x);
  double turn = 0;  ///< [rad/s]
};
constexpr ViolentStart violent_starts[]{
    {"half inside out",
     [](NodalField& x) {
       for (std::size_t i = 0; i < x.size(); ++i)
         if (x[i][0] > 0.2) x[i][0] -= 0.8;
     }},
    {"collapsed",
     [](NodalField& x) {
       for (std::size_t i = 0; i < x.size(); ++i) x[i] *= 0.02;
     }},
    {"collapsed to a point, turning",
     [](NodalField& x) {
       for (std::size_t i = 0; i < x.size(); ++i) x[i] *= 1e-4;
     },
     3},
    {"scattered",
     [](NodalField& x) {
       std::mt19937 random(3);
       std::uniform_real_distribution<double> place(-0.5, 0.5);
       for (std::size_t i = 0; i < x.size(); ++i) x[i] = Vec3(place(random), place(random), place(random));
     }},
};

/// Of a free bar over some steps with that product of h and the highest frequency: how the promise was broken, if it
/// was.
std::string breach(const Method& method, const std::string& material, const ViolentStart& start, double h_omega) {
  Model model;
  model.add(SolidOptions{
      .mesh = make_bar({.size = {1, 0.3, 0.3}, .cells = {3, 1, 1}}),
      .material = testing::only_known({.name = material, .mu = 2e4, .lambda = 3e4, .kappa = 3e4, .a = 5e3, .b = 5e3})});
  State state = model.rest_state();
  start.place(state.x);
  for (std::size_t i = 0; i < state.x.size(); ++i) state.v[i] = start.turn * Vec3(0, 0, 1).cross(Vec3(state.x[i]));
  const double omega = std::max(highest_frequency(model, state.x), highest_frequency(model, model.rest()));
  Simulation simulation(std::move(model), state, {.integrator = method.name, .h = h_omega / omega});
  const double in_play = simulation.ledger().elastic;
  double lowest = 0;
  for (int step = 0; step < 25; ++step) {
    const StepReport report = simulation.step();
    if (!report.ok()) return report.message;
    const double residual = simulation.ledger().residual;
    const double strayed = std::abs(residual) / in_play, gained = (residual - lowest) / in_play;
    lowest = std::min(lowest, residual);
    if (!std::isfinite(residual)) return "energy is not finite";
    if (method.energy == EnergyBehavior::kept && strayed > 1e-8) return fmt::format("strayed by {:.1e}", strayed);
    if (method.energy == EnergyBehavior::tracked && strayed > 2 * IntegratorOptions{}.epsilon)
      return fmt::format("strayed by {:.1e}", strayed);
    if (method.energy == EnergyBehavior::decays && gained > 0.01) return fmt::format("grew by {:.1e}", gained);
    if (gained > 1) return fmt::format("grew by {:.1e}", gained);
  }
  return {};
}

template <class Each>
void for_implicit(Each each) {
  for (const Method& method : integrators())
    if (method.dynamic && method.force_evaluations == 0)
      for (const char* material : {"stvk", "corotated", "stable-neo-hookean"})
        for (const ViolentStart& start : violent_starts) each(method, material, start);
}

}  // namespace

TEST(LargeStrains, AreBorneUpToTheStepThatIsDeclared) {
  for_implicit([](const Method& method, const char* material, const ViolentStart& start) {
    for (const double h_omega : {0.1, 1.0, 30.0, 1000.0})
      if (h_omega <= method.resolves) {
        EXPECT_EQ(breach(method, material, start, h_omega), "")
            << method.name << ", " << material << ", " << start.name << ", h omega = " << h_omega;
      }
  });
}

/// Nobody declares less than is true.
TEST(LargeStrains, BreakThePromiseBeyondTheStepThatIsDeclared) {
  std::map<std::string, int> breaches;
  for_implicit([&](const Method& method, const char* material, const ViolentStart& start) {
    if (std::isinf(method.resolves)) return;
    for (const double h_omega : {1.0, 30.0, 1000.0})
      if (h_omega > method.resolves) breaches[method.name] += breach(method, material, start, h_omega).empty() ? 0 : 1;
  });
  for (const auto& [name, count] : breaches) EXPECT_GT(count, 0) << name;
}

}  // namespace brio
