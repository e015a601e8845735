/// Every experiment in its quick form: what the papers claim comes out, or is known not to.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "experiments/experiment.h"

namespace brio {
namespace {

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

std::vector<std::string> ids() {
  std::vector<std::string> list;
  for (const Experiment& experiment : experiments()) list.push_back(experiment.id);
  return list;
}

class Row : public testing::TestWithParam<std::string> {};

}  // namespace

TEST_P(Row, ComesOutAsKnown) {
  const Outcome outcome = find_experiment(GetParam()).run({});
  EXPECT_FALSE(outcome.checks.empty());
  for (const Check& check : outcome.checks)
    EXPECT_TRUE(check.expected()) << check.what << ": " << check.text() << "\n" << check.refuted;
}

INSTANTIATE_TEST_SUITE_P(Papers, Row, testing::ValuesIn(ids()), test_name);

TEST(Registry, IdsAreUniqueAndEveryEntryIsWhole) {
  std::set<std::string> seen;
  for (const Experiment& experiment : experiments()) {
    EXPECT_TRUE(seen.insert(experiment.id).second) << experiment.id;
    EXPECT_FALSE(experiment.figure.empty() || experiment.claim.empty() || experiment.set_up.empty()) << experiment.id;
    EXPECT_TRUE(experiment.run) << experiment.id;
  }
}

}  // namespace brio
