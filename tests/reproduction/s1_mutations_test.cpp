/// Broken integrators in place of those that the rows of S1 are about: their claims fail.
#include <gtest/gtest.h>

#include "experiments/experiment.h"

namespace brio {
namespace {

struct BrokenIntegrator {
  const char* row;
  const char* integrator;
  const char* stand_in;
  const char* claim;  ///< part of what the check that must fail says
};

std::string mutation_name(const testing::TestParamInfo<BrokenIntegrator>& info) {
  std::string name = std::string(info.param.row) + "_" + info.param.stand_in;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

class S1Mutation : public testing::TestWithParam<BrokenIntegrator> {};

}  // namespace

TEST_P(S1Mutation, MakesTheClaimFail) {
  const BrokenIntegrator& mutation = GetParam();
  const Outcome outcome = find_experiment(mutation.row).run({.stand_ins = {{mutation.integrator, mutation.stand_in}}});
  int failed = 0, about = 0;
  for (const Check& check : outcome.checks) {
    if (check.what.find(mutation.claim) == std::string::npos) continue;
    ++about;
    failed += check.expected() ? 0 : 1;
  }
  EXPECT_GT(about, 0) << "no check says \"" << mutation.claim << "\"";
  EXPECT_GT(failed, 0) << mutation.stand_in << " passes for " << mutation.integrator;
  EXPECT_FALSE(outcome.expected());
}

INSTANTIATE_TEST_SUITE_P(
    Papers, S1Mutation,
    testing::Values(
        BrokenIntegrator{"s1-fig2-3", "implicit-midpoint", "backward-euler", "large steps: largest energy"},
        BrokenIntegrator{"s1-fig2-3", "stabilized", "implicit-midpoint", "stabilized at large steps: largest energy"},
        BrokenIntegrator{"s1-appendix", "backward-euler", "implicit-midpoint", "B: backward Euler"},
        BrokenIntegrator{"s1-appendix", "explicit-euler", "symplectic-euler", "A: forward Euler"},
        BrokenIntegrator{"s1-cube", "stabilized", "bdf2", "stabilized: largest error of the energy"},
        BrokenIntegrator{"s1-epsilon", "stabilized", "implicit-midpoint", "epsilon = 0.01: largest error"},
        BrokenIntegrator{"s1-cactus", "stabilized", "implicit-midpoint", "stabilized: farthest vertex"},
        BrokenIntegrator{"s1-hippo", "stabilized", "implicit-midpoint", "stabilized: energy without contact"},
        BrokenIntegrator{"s1-friction", "stabilized", "explicit-euler", "without friction: least speed"},
        BrokenIntegrator{"s1-bounce", "stabilized", "backward-euler", "stabilized as S1 has it"},
        BrokenIntegrator{"s1-bar", "stabilized", "backward-euler", "stabilized: in"},
        BrokenIntegrator{"s1-bunny-swing", "stabilized", "backward-euler", "stabilized: height"},
        BrokenIntegrator{"s1-dog", "stabilized", "bdf2", "stabilized: mean kinetic"},
        BrokenIntegrator{"s1-horn", "stabilized", "backward-euler", "undamped: mean kinetic"},
        BrokenIntegrator{"s1-fig1", "stabilized", "backward-euler", "stabilized: the same"},
        BrokenIntegrator{"s1-cloth", "stabilized", "bdf2", "stabilized over bdf2"},
        BrokenIntegrator{"s1-table2", "stabilized", "implicit-midpoint", "unstable with stabilized"}),
    mutation_name);

}  // namespace brio
