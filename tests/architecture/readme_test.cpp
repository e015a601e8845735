/// What the README shows is what is tested.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "brio/integrators.h"

namespace brio {
namespace {

namespace fs = std::filesystem;

const fs::path root = BRIO_SOURCE_DIR;

std::string read(const fs::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
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

}  // namespace brio
