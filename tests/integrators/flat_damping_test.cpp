/// Damping of strain on bodies that are squeezed flat, and damping that is stronger than anything else.
#include <gtest/gtest.h>

#include "brio/contact.h"
#include "brio/sim.h"
#include "model/materials/registry.h"
#include "model/only_known.h"

namespace brio {
namespace {

/// All steps, or why not.
std::string complaint_of(Model model, const State& start, const Method& method, double h, int steps) {
  Simulation simulation(std::move(model), start, {.integrator = method.name, .h = h});
  for (int k = 0; k < steps; ++k) {
    const StepReport report = simulation.step();
    if (!report.ok()) return report.message;
  }
  return {};
}

template <class Check>
void for_implicit_methods(Check check) {
  for (const Method& method : integrators())
    if (method.dynamic && method.force_evaluations == 0) check(method);
}

}  // namespace

/// A ball so soft that it lies flat on the ground, some of its elements inside out, and is damped.
TEST(StrainDamping, LetsASoftBallFallFlat) {
  for_implicit_methods([](const Method& method) {
    Model model;
    model.add(SolidOptions{.mesh = make_sphere({.radius = 0.5, .rings = 2}),
                           .material = {.name = "stvk", .mu = 35, .lambda = 20},
                           .mass = 1});
    model.set_gravity({0, -9.81, 0});
    model.set_damping({.strain = 0.01});
    add_collider(model, {.stiffness = 200});
    State state = model.rest_state();
    for (std::size_t i = 0; i < state.x.size(); ++i) state.x[i][1] += 1;
    EXPECT_EQ(complaint_of(std::move(model), state, method, 0.033, 80), "") << method.name;
  });
}

TEST(StrainDamping, MayBeStrongerThanAnythingElse) {
  for_implicit_methods([](const Method& method) {
    Model model;
    const BodyId bar =
        model.add(SolidOptions{.mesh = make_bar({.cells = {6, 2, 2}}),
                               .material = {.name = "stable-neo-hookean", .mu = 1e6 / 2.6, .lambda = 1e6 * 0.3 / 0.52},
                               .density = 1000});
    std::vector<int> held;
    for (int i = 0; i < static_cast<int>(model.vertices()); ++i)
      if (model.rest()[i][0] < model.rest()[0][0] + 1e-6) held.push_back(i);
    model.pin(bar, held);
    model.set_gravity({0, -9.81, 0});
    model.set_damping({.strain = 1});
    const State state = model.rest_state();
    EXPECT_EQ(complaint_of(std::move(model), state, method, 1.0 / 30, 30), "") << method.name;
  });
}

/// However thin a shape is, what taking it as rest shape makes of a small displacement stays within a few times of what
/// the first shape makes of it.
TEST(StrainDamping, OfThinShapesIsBounded) {
  const Mesh bar = make_bar({.size = {1, 1, 1}, .cells = {2, 2, 2}});
  for (const MaterialEntry& material : materials()) {
    Model model;
    model.add(SolidOptions{.mesh = bar,
                           .material = testing::only_known(
                               {.name = material.name, .mu = 1e4, .lambda = 1e4, .kappa = 1e4, .a = 4e3, .b = 1e3}),
                           .mass = 1});
    const auto stiffness = [&](double thickness) {
      const std::unique_ptr<Energy> energy = model.energies()[0]->clone();
      NodalField x = model.rest(), g(model.vertices());
      for (std::size_t i = 0; i < x.size(); ++i) x[i][1] *= thickness;
      energy->set_rest(x);
      constexpr double small = 1e-7;  // of the body, thin as it may be
      for (std::size_t i = 0; i < x.size(); ++i) x[i][1] += small * thickness * std::sin(static_cast<double>(7 * i));
      energy->gradient(x, {}, g);
      double largest = 0;
      for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, g[i].norm());
      return largest / (small * thickness);
    };
    const double first = stiffness(1);
    EXPECT_GT(first, 0) << material.name;
    for (const double thickness : {0.5, 0.1, 1e-2, 1e-4}) EXPECT_LT(stiffness(thickness), 4 * first) << material.name;
  }
}

/// Wires too, which have springs, torsion and volumes that weigh nothing: a collapsed shape taken as rest shape makes
/// no more of any displacement, be it as small as that shape or as large as the first one, than 16 times what the first
/// shape makes: nothing weighs less until it is half as large, and forces have fourth powers of that.
TEST(StrainDamping, OfCollapsedWiresIsBounded) {
  for (const SpringLaw law : {SpringLaw::hookean, SpringLaw::stvk}) {
    Model model;
    model.add(WireOptions{.mesh = make_line({.length = 1, .segments = 8}),
                          .radius = 0.06,
                          .law = law,
                          .stiffness = 1e4,
                          .volume = 12,
                          .torsion = 5});
    ASSERT_EQ(model.energies().size(), 3u);
    for (const auto& part : model.energies()) {
      const auto stiffness = [&](double scale, double displacement) {
        const std::unique_ptr<Energy> energy = part->clone();
        NodalField x = model.rest(), g(model.vertices());
        for (std::size_t i = 0; i < x.size(); ++i) x[i] *= scale;
        energy->set_rest(x);
        for (std::size_t i = 0; i < x.size(); ++i) {
          const auto phase = static_cast<double>(i);
          x[i] += displacement * Vec3(std::sin(7 * phase), std::cos(11 * phase), std::sin(13 * phase + 1));
        }
        energy->gradient(x, {}, g);
        double largest = 0;
        for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, g[i].norm());
        return largest / displacement;
      };
      constexpr double small = 1e-3, large = 0.1, multiple = 16;
      const double first = stiffness(1, 1e-6), torn = std::max(stiffness(1, large), first);
      EXPECT_GT(first, 0) << part->name();
      for (const double scale : {0.5, 0.1, 1e-2, 1e-4}) {
        EXPECT_LT(stiffness(scale, small * scale), multiple * first) << part->name() << ", " << scale;
        EXPECT_LT(stiffness(scale, large), multiple * torn) << part->name() << ", " << scale;
      }
    }
  }
}

}  // namespace brio
