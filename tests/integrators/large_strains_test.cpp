/// Up to which step methods bear large strains, as the registry declares it: Method::resolves.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
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

/// A free bar of a material, or a wire of a law of springs.
Model model_of(const std::string& material) {
  Model model;
  if (material.starts_with("wire")) {
    const bool stvk = material == "wire, stvk", resists_torsion = material == "wire, twisting";
    model.add(WireOptions{.mesh = make_line({.length = 1, .segments = 4}),
                          .radius = 0.1,
                          .law = stvk ? SpringLaw::stvk : SpringLaw::hookean,
                          .stiffness = stvk ? 8e4 : 1e4,
                          .volume = 30,
                          .torsion = resists_torsion ? 5.0 : 0.0});
    return model;
  }
  model.add(SolidOptions{
      .mesh = make_bar({.size = {1, 0.3, 0.3}, .cells = {3, 1, 1}}),
      .material = testing::only_known({.name = material, .mu = 2e4, .lambda = 3e4, .kappa = 3e4, .a = 5e3, .b = 5e3})});
  return model;
}

/// Over some steps with that product of h and the highest frequency: how the promise was broken, if it was.
std::string breach(const Method& method, const std::string& material, const ViolentStart& start, double h_omega,
                   int steps) {
  Model model = model_of(material);
  State state = model.rest_state();
  start.place(state.x);
  for (std::size_t i = 0; i < state.x.size(); ++i) state.v[i] = start.turn * Vec3(0, 0, 1).cross(Vec3(state.x[i]));
  const double omega = std::max(highest_frequency(model, state.x), highest_frequency(model, model.rest()));
  Simulation simulation(std::move(model), state, {.integrator = method.name, .h = h_omega / omega});
  const double in_play = simulation.ledger().elastic;
  double lowest = 0;
  for (int step = 0; step < steps; ++step) {
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

constexpr std::array solids{"stvk", "corotated", "stable-neo-hookean"};
constexpr std::array wires{"wire, hookean", "wire, stvk", "wire, twisting"};

template <class Each>
void for_implicit(const std::array<const char*, 3>& materials, Each each) {
  for (const Method& method : integrators())
    if (method.dynamic && method.force_evaluations == 0)
      for (const char* material : materials)
        for (const ViolentStart& start : violent_starts) each(method, material, start);
}

void expect_borne(const std::array<const char*, 3>& materials, int steps) {
  for_implicit(materials, [steps](const Method& method, const std::string& material, const ViolentStart& start) {
    if (material == "wire, twisting" && method.name == "avf" && std::string(start.name).starts_with("collapsed to"))
      return;
    for (const double h_omega : {0.1, 1.0, 30.0, 1000.0})
      if (h_omega <= method.resolves) {
        EXPECT_EQ(breach(method, material, start, h_omega, steps), "")
            << method.name << ", " << material << ", " << start.name << ", h omega = " << h_omega;
      }
  });
}

}  // namespace

TEST(LargeStrains, AreBorneUpToTheStepThatIsDeclared) { expect_borne(solids, 25); }

/// Torsion has no meaning where arms are as good as nothing: avf says so. Its adaptive means take long here.
TEST(LargeStrains, OfWiresAreBorneUpToTheStepThatIsDeclared) { expect_borne(wires, 8); }

/// Nobody declares less than is true.
TEST(LargeStrains, BreakThePromiseBeyondTheStepThatIsDeclared) {
  std::map<std::string, int> breaches;
  const auto count = [&](const Method& method, const std::string& material, const ViolentStart& start) {
    if (std::isinf(method.resolves)) return;
    int& found = breaches[method.name];
    for (const double h_omega : {30.0, 1000.0, 1.0})
      if (found == 0 && h_omega > method.resolves)
        found += breach(method, material, start, h_omega, 25).empty() ? 0 : 1;
  };
  for_implicit(solids, count);
  for_implicit(wires, count);
  for (const auto& [name, found] : breaches) EXPECT_GT(found, 0) << name;
}

}  // namespace brio
