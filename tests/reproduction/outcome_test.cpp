/// Verdicts follow from comparisons alone, and survive being kept.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "experiments/pages.h"

namespace brio {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

}  // namespace

TEST(Check, WhatIsNotANumberMeetsNothing) {
  Outcome outcome;
  for (const double value : {nan, inf}) {
    EXPECT_FALSE(outcome.below("", value, 1).passed());
    EXPECT_FALSE(outcome.near("", value, 1, 1).passed());
  }
  EXPECT_FALSE(outcome.above("", nan, 1).passed());
  EXPECT_TRUE(outcome.above("", inf, 1).passed()) << "what explodes is above all bounds";
  EXPECT_FALSE(outcome.below("", 1, 1).passed());
  EXPECT_FALSE(outcome.above("", 1, 1).passed());
  EXPECT_TRUE(outcome.near("", 1, 1, 0).passed());
  EXPECT_FALSE(outcome.near("", 1.2, 1, 0.1).passed());
}

TEST(Outcome, TheVerdictIsThatOfTheChecks) {
  Outcome outcome;
  EXPECT_EQ(outcome.verdict(), Verdict::refuted) << "nothing was compared";
  EXPECT_FALSE(outcome.expected());
  outcome.below("claim", 1, 2);
  EXPECT_EQ(outcome.verdict(), Verdict::holds);
  outcome.above("ours", 3, 2).source = Check::Source::beyond;
  EXPECT_EQ(outcome.verdict(), Verdict::better);
  EXPECT_TRUE(outcome.expected());
  outcome.below("another", 3, 2);
  EXPECT_EQ(outcome.verdict(), Verdict::refuted);
  EXPECT_FALSE(outcome.expected());
  outcome.checks.back().refuted = "the paper leaves the mesh open";
  EXPECT_EQ(outcome.verdict(), Verdict::refuted);
  EXPECT_TRUE(outcome.expected());
  outcome.checks.front().refuted = "out of date";
  EXPECT_FALSE(outcome.expected()) << "it comes out after all";
}

TEST(Kept, ResultsAreReadBackAsTheyWere) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "brio_kept";
  std::filesystem::create_directories(folder);
  const auto file = folder / "results.jsonl";
  std::filesystem::remove(file);
  Finished finished{.id = experiments().front().id, .form = Form::full, .seconds = 12.5};
  finished.outcome.below("a | b", 1e-13, 1e-12, "J");
  finished.outcome.above("infinite", inf, 10).source = Check::Source::beyond;
  finished.outcome.near("not a number", nan, 1, 0.5).refuted = "since it is none";
  finished.outcome.measure("length", 1.5, "m");
  finished.outcome.tables.push_back({"T", {"a", "b"}, {{"1", "2"}}, "note"});
  finished.outcome.notes.emplace_back("left open");
  keep(file, {{finished.id, finished}});
  const auto kept = read_kept(file);
  ASSERT_TRUE(kept.contains(finished.id));
  EXPECT_EQ(to_line(kept.at(finished.id)), to_line(finished));
  EXPECT_EQ(kept.at(finished.id).outcome.verdict(), Verdict::refuted);
  EXPECT_TRUE(kept.at(finished.id).expected());

  Finished other{.id = experiments().back().id, .stopped = "it failed"};
  keep(file, {{other.id, other}});
  EXPECT_EQ(read_kept(file).size(), 2u) << "lines of others stay";
  const std::string page = reproduction_markdown(read_kept(file));
  for (const std::string word : {"1e-13 < 1e-12 J", "a | b", "Does not come out.", "since it is none", "did not run"})
    EXPECT_NE(page.find(word), std::string::npos) << word;
  std::filesystem::remove_all(folder);
}

}  // namespace brio
