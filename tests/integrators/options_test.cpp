/// Options that were meant for another method do not go unnoticed.
#include "integrators/options.h"

#include <gtest/gtest.h>

#include <algorithm>

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

TEST(IntegratorOptions, LeftAsTheyAreFitEveryMethod) {
  const Problem problem = oscillator();
  for (const Method& method : integrators()) EXPECT_NO_THROW(make_integrator(method, {}, problem.model)) << method.name;
}

}  // namespace brio
