/// What the README and the pages beside it show is what is tested.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "brio/integrators.h"
#include "scene/scene.h"
#include "scene/value.h"

namespace brio {
namespace {

namespace fs = std::filesystem;

const fs::path root = BRIO_SOURCE_DIR;

std::string read(const fs::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// What stands between ```toml and ```.
std::vector<std::string> scenes_in(const std::string& page) {
  std::vector<std::string> scenes;
  const std::string opening = "```toml\n";
  for (std::size_t at = 0; (at = page.find(opening, at)) != std::string::npos;) {
    at += opening.size();
    scenes.push_back(page.substr(at, page.find("```", at) - at));
  }
  return scenes;
}

}  // namespace

TEST(Readme, ItsProgramsAreThoseThatThePackageTestCompilesAndRuns) {
  const std::string readme = read(root / "README.md");
  const std::string opening = "```cpp\n";
  std::size_t from = 0;
  for (const char* program : {"readme.cpp", "live.cpp"}) {
    const std::size_t start = readme.find(opening, from);
    ASSERT_NE(start, std::string::npos) << program;
    from = start + opening.size();
    EXPECT_EQ(readme.substr(from, readme.find("```", from) - from), read(root / "tests/package" / program));
  }
}

TEST(Readme, ItsTourVisitsEveryScene) {
  const std::string readme = read(root / "README.md");
  for (const auto& entry : fs::directory_iterator(root / "scenes"))
    if (entry.path().extension() == ".toml") {
      const std::string name = entry.path().stem().string();
      EXPECT_NE(readme.find(fmt::format("[{0}](scenes/{0}.toml)", name)), std::string::npos) << name;
    }
}

TEST(Readme, ItsTableOfIntegratorsSaysWhatTheRegistrySays) {
  const std::string readme = read(root / "README.md");
  const std::regex row(R"(\| \[([a-z0-9-]+)\]\(docs/integrators\.md#([a-z0-9-]+)\) \| (\d) \| ([^|]+) \| ([^|]+) \|)");
  int rows = 0;
  for (std::sregex_iterator found(readme.begin(), readme.end(), row), end; found != end; ++found, ++rows) {
    const Method& method = find_integrator((*found)[1]);
    EXPECT_EQ((*found)[2], method.name);
    EXPECT_EQ((*found)[3], std::to_string(method.order)) << method.name;
    EXPECT_EQ((*found)[4], to_string(method.energy)) << method.name;
    EXPECT_EQ((*found)[5], method.sentence) << method.name;
  }
  EXPECT_GE(rows, 10);
}

TEST(Readme, ItsLinksLeadSomewhere) {
  const std::string readme = read(root / "README.md");
  const std::regex link(R"(\]\(([^)#:]+)(#[^)]*)?\))");
  int links = 0;
  for (std::sregex_iterator found(readme.begin(), readme.end(), link), end; found != end; ++found, ++links)
    EXPECT_TRUE(fs::exists(root / (*found)[1].str())) << (*found)[1];
  EXPECT_GT(links, 20);
}

TEST(DrivingPage, ItsScenesRunWithoutAWarningAndTheirBooksClose) {
  const std::vector<std::string> scenes = scenes_in(read(root / "docs/driving.md"));
  ASSERT_EQ(scenes.size(), 2U);
  for (const std::string& text : scenes) {
    Scene scene = build_scene(parse_toml(text, "driving.toml"), "driving.toml");
    EXPECT_TRUE(scene.warnings.empty()) << scene.title;
    double most = 0;  // put in
    for (int frame = 0; frame < scene.frames; ++frame) {
      const StepReport report = scene.simulation.step(scene.steps_per_frame);
      ASSERT_TRUE(report.ok()) << scene.title << ": " << report.message;
      EXPECT_EQ(report.strayed, 0) << scene.title;
      most = std::max(most, scene.simulation.ledger().user_work);
    }
    EXPECT_GT(most, 0.1) << scene.title;
    EXPECT_LT(std::abs(scene.simulation.ledger().residual), 0.01 * most) << scene.title;
  }
}

}  // namespace brio
