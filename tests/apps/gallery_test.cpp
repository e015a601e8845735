/// Every shipped scene runs as a user would run it for a glance, and its ledger keeps what its integrator promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "brio/integrators.h"
#include "in_folder.h"
#include "run_program.h"

namespace {

namespace fs = std::filesystem;

std::vector<std::string> shipped_scenes() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(BRIO_SOURCE_DIR "/scenes"))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class Gallery : public brio::testing::InFolder, public testing::WithParamInterface<std::string> {
 protected:
  /// As a user would; whoever comes here first sees no warning. False where its model can be neither fetched nor
  /// filled.
  bool run(const std::string& options, nlohmann::json& summary) const {
    const Result result = run_program(BRIO_PROGRAM " run " BRIO_SOURCE_DIR "/scenes/" + GetParam() +
                                      ".toml --formats none -o " + (folder / "out").string() + options + " 2>&1");
    if (result.code == 1 && result.output.find("npm") != std::string::npos) return false;
#ifndef BRIO_WITH_GPL
    if (result.code == 1 && result.output.find("TetGen") != std::string::npos) return false;
#endif
    EXPECT_EQ(result.code, 0) << result.output;
    if (result.code != 0) return true;
    summary = nlohmann::json::parse(read("out/run.json"));
    EXPECT_EQ(summary["status"], "ok");
    EXPECT_EQ(summary["warnings"], nlohmann::json::array());
    EXPECT_TRUE(fs::exists(folder / "out/report.html"));
    const brio::EnergyBehavior energy = brio::find_integrator(summary["integrator"]).energy;
    const double error = summary["energy"]["max_relative_error"];
    if (energy == brio::EnergyBehavior::kept) {
      EXPECT_LT(error, 1e-8);
    } else if (energy == brio::EnergyBehavior::tracked) {
      EXPECT_LT(error, 0.02);
    }
    return true;
  }
};

/// Rows of numbers, one status among them; the header comes first.
void expect_finite(const std::string& ledger, long rows) {
  std::istringstream lines(ledger);
  std::string line;
  std::getline(lines, line);
  long count = 0;
  for (; std::getline(lines, line); ++count) {
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) {
      char* end = nullptr;
      const double number = std::strtod(field.c_str(), &end);
      EXPECT_TRUE(field == "ok" || (*end == 0 && std::isfinite(number))) << line;
    }
  }
  EXPECT_EQ(count, rows);
}

}  // namespace

TEST_P(Gallery, RunsAtAGlanceAndKeepsItsLedger) {
  nlohmann::json summary;
  if (!run(" --quick", summary)) GTEST_SKIP() << "its model is not to be had";
  EXPECT_EQ(summary["frames"], 10);
  expect_finite(read("out/ledger.csv"), 1 + 10);
}

/// Here those that take seconds; the others too with BRIO_WHOLE_GALLERY set, as `./test --full` does.
TEST_P(Gallery, KeepsItsPromisesToTheEnd) {
  const std::vector<std::string> soon{"hello", "cloth", "rope", "pendulum", "double-pendulum", "shaken-cloth", "wire"};
  if (std::ranges::count(soon, GetParam()) == 0 && std::getenv("BRIO_WHOLE_GALLERY") == nullptr)
    GTEST_SKIP() << "takes longer: ./test --full";
  nlohmann::json summary;
  if (!run("", summary)) GTEST_SKIP() << "its model is not to be had";
}

INSTANTIATE_TEST_SUITE_P(Scenes, Gallery, testing::ValuesIn(shipped_scenes()), [](const auto& tested) {
  std::string name = tested.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(GalleryAsAWhole, HasTitlesAndTellsWhatToTryNext) {
  for (const std::string& name : shipped_scenes()) {
    const std::string text = text_of(BRIO_SOURCE_DIR "/scenes/" + name + ".toml");
    EXPECT_TRUE(text.starts_with("# ")) << name << ": the first lines say what one sees";
    EXPECT_NE(text.find("\ntitle = \""), std::string::npos) << name;
    EXPECT_NE(text.find("\n# Try: "), std::string::npos) << name << ": says what to try next";
  }
}
