/// Runs `brio orders` and `brio list integrators` as a user would.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "run_program.h"

namespace {

Result brio_says(const std::string& arguments) { return run_program(BRIO_PROGRAM " " + arguments + " 2>/dev/null"); }

}  // namespace

TEST(OrdersCommand, PrintsDeclaredAgainstMeasuredForEachProblem) {
  const Result result = brio_says("orders verlet rk4 --json");
  ASSERT_EQ(result.code, 0);
  const auto rows = nlohmann::json::parse(result.output);
  ASSERT_EQ(rows.size(), 2u * 4u);
  for (const auto& row : rows) {
    EXPECT_EQ(row["declared"], row["integrator"] == "rk4" ? 4 : 2);
    EXPECT_NEAR(row["measured"].get<double>(), row["declared"].get<double>(), 0.15) << row;
    EXPECT_FALSE(row["problem"].get<std::string>().empty());
  }
  const Result table = brio_says("orders verlet");
  EXPECT_EQ(table.code, 0);
  for (const std::string word : {"oscillator", "pendulum", "kepler", "solid", "verlet"})
    EXPECT_NE(table.output.find(word), std::string::npos) << word;
  EXPECT_EQ(brio_says("orders verlot").code, 1);
}

TEST(OrdersCommand, AMissedOrderIsExitCodeThree) {
  EXPECT_EQ(brio_says("orders rk4 --tolerance 1e-9").code, 3);
  EXPECT_EQ(brio_says("orders rk4 --tolerance 1e-9 --json").code, 3);
}

TEST(OrdersCommand, TellsTheLargestStableStepOfAScene) {
  const Result result = brio_says("orders explicit-euler verlet backward-euler --json --stable-step " BRIO_SOURCE_DIR
                                  "/scenes/hello.toml");
  const Result plain = brio_says("orders verlet --stable-step /nowhere.toml");
  EXPECT_EQ(plain.code, 1);
  ASSERT_EQ(result.code, 0);
  const auto rows = nlohmann::json::parse(result.output);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0]["h_linear"], 0);
  EXPECT_NEAR(rows[1]["h_omega"].get<double>(), 2, 1e-6);
  EXPECT_GT(rows[1]["h_run"].get<double>(), 0.3 * rows[1]["h_linear"].get<double>());
  EXPECT_LT(rows[1]["h_run"].get<double>(), 1.2 * rows[1]["h_linear"].get<double>());
  EXPECT_TRUE(rows[2]["h_linear"].is_null()) << "no limit";
}

TEST(ListIntegrators, ShowsOptionsWithUnitBoundAndDefault) {
  const auto list = nlohmann::json::parse(brio_says("list integrators --json").output);
  int seen = 0;
  for (const auto& method : list)
    for (const auto& option : method["options"]) {
      for (const std::string key : {"key", "type", "unit", "bound", "default", "help"})
        EXPECT_TRUE(option.contains(key)) << method["name"] << ": " << key;
      if (option["key"] == "beta") {
        ++seen;
        EXPECT_EQ(option["default"], "0.25");
        EXPECT_EQ(option["bound"], "in (0, 0.5]");
      }
    }
  EXPECT_EQ(seen, 1) << "newmark alone has beta";
}

TEST(Documentation, OfIntegratorsIsWhatTheRegistryGives) {
  std::ostringstream page;
  page << std::ifstream(BRIO_SOURCE_DIR "/docs/integrators.md").rdbuf();
  const Result result = brio_says("list integrators --markdown");
  ASSERT_EQ(result.code, 0);
  EXPECT_TRUE(page.str() == result.output)
      << "docs/integrators.md is stale: ./brio list integrators --markdown > docs/integrators.md";
  EXPECT_EQ(brio_says("list materials --markdown").code, 1);
}
