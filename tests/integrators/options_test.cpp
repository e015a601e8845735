/// Options that were meant for another method do not go unnoticed.
#include "integrators/options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "brio/sim.h"
#include "experiments/measure.h"
#include "experiments/problems.h"

namespace brio {
namespace {

/// Of every key a value that is allowed and not its default.
const std::vector<Entry>& unusual_options() {
  static const std::vector<Entry> list{{"beta", 0.3},
                                       {"gamma", 0.6},
                                       {"quadrature", std::string("gauss2")},
                                       {"nodes", std::vector<double>{0.5}},
                                       {"weights", std::vector<double>{1}},
                                       {"alpha", 0.25},
                                       {"order", std::int64_t{4}},
                                       {"damping", 0.1},
                                       {"epsilon", 0.02},
                                       {"start", std::string("symplectic-euler")},
                                       {"form", std::string("potential")},
                                       {"half_life", 1.0},
                                       {"contact_energy", false}};
  return list;
}

}  // namespace

TEST(IntegratorOptions, ThatAMethodDoesNotKnowAreRefusedWithThoseThatDo) {
  const Problem problem = oscillator();
  ASSERT_EQ(unusual_options().size(), integrator_fields().fields().size()) << "a key is missing here";
  for (const Method& method : integrators())
    for (const Entry& entry : unusual_options()) {
      IntegratorOptions options;
      integrator_fields().set(options, entry);
      if (std::ranges::count(method.options, entry.key) > 0) continue;
      try {
        make_integrator(method, options, problem.model);
        FAIL() << method.name << " took " << entry.key;
      } catch (const InputError& error) {
        const Complaint& complaint = error.complaint();
        EXPECT_EQ(complaint.key, "integrator." + entry.key);
        EXPECT_EQ(complaint.value, to_text(entry.value));
        EXPECT_EQ(complaint.problem, "is no option of " + method.name);
        EXPECT_FALSE(complaint.advice.empty());
      }
    }
}

TEST(SolverOptions, FromWhereAStepIsSolvedChangesItsCostAndNotItsResult) {
  const Problem problem = solid();
  int differ = 0;
  for (const Method& method : integrators()) {
    if (!method.dynamic || method.force_evaluations > 0) continue;
    std::array<State, 2> ends;
    std::array<int, 2> iterations{};
    for (const FirstGuess guess : {FirstGuess::inertia, FirstGuess::start}) {
      const auto k = static_cast<std::size_t>(guess);
      Simulation simulation(
          problem.model, problem.start,
          {.integrator = method.name, .h = 0.05, .options = {.solver = {.tolerance = 1e-12, .guess = guess}}});
      for (int step = 0; step < 10; ++step) {
        const StepReport report = simulation.step();
        ASSERT_TRUE(report.ok()) << method.name << ": " << report.message;
        iterations[k] += report.iterations;
      }
      ends[k] = simulation.state();
    }
    EXPECT_LT(distance(ends[0], ends[1]), 1e-8) << method.name;
    differ += iterations[0] != iterations[1] ? 1 : 0;
  }
  EXPECT_GT(differ, 3) << "the option does something";
}

TEST(IntegratorOptions, LeftAsTheyAreFitEveryMethod) {
  const Problem problem = oscillator();
  for (const Method& method : integrators()) EXPECT_NO_THROW(make_integrator(method, {}, problem.model)) << method.name;
}

}  // namespace brio
