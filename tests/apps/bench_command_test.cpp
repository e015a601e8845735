/// Runs `brio bench score` as a user would.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "brio/integrators.h"
#include "run_program.h"

namespace {

Result brio_bench(const std::string& arguments) {
  return run_program(BRIO_PROGRAM " bench " + arguments + " 2>/dev/null");
}

}  // namespace

TEST(BenchScore, RanksEveryExplicitIntegratorByStepOverCost) {
  const auto chart = std::filesystem::temp_directory_path() / "brio_score_test.svg";
  std::filesystem::remove(chart);
  const Result result = brio_bench("score --quick --json --chart " + chart.string());
  ASSERT_EQ(result.code, 0);
  const auto rows = nlohmann::json::parse(result.output);
  std::set<std::string> expected, found;
  for (const brio::Method& method : brio::integrators())
    if (method.family == "explicit") expected.insert(method.name);
  double before = std::numeric_limits<double>::infinity();
  double verlet = 0, euler = 0;
  for (const auto& row : rows) {
    const std::string name = row["integrator"];
    found.insert(name);
    const double score = row["score"], step = row["largest_step"], cost = row["seconds_per_step"];
    EXPECT_NEAR(score, step / cost, 1e-9 * score) << name;
    EXPECT_LE(score, before) << "sorted";
    before = score;
    EXPECT_EQ(row["symplectic"], brio::find_integrator(name).symplectic);
    EXPECT_NEAR(row["measured_order"].get<double>(), row["declared_order"].get<double>(), 0.3) << name;
    if (name == "verlet") verlet = step;
    if (name == "explicit-euler") euler = step;
  }
  EXPECT_EQ(found, expected);
  EXPECT_GT(euler, 0);
  EXPECT_GT(verlet, 2 * euler) << "explicit Euler amplifies what Verlet keeps";

  std::ostringstream svg;
  svg << std::ifstream(chart).rdbuf();
  EXPECT_NE(svg.str().find("prefers-color-scheme: dark"), std::string::npos);
  for (const std::string& name : expected) EXPECT_NE(svg.str().find(">" + name + "<"), std::string::npos) << name;
  std::filesystem::remove(chart);
}

TEST(BenchScore, AChartOfAnythingElseIsRefused) { EXPECT_EQ(brio_bench("energies --quick --chart x.svg").code, 1); }
