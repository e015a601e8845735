/// docs/reliability.md says what is so.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace brio {
namespace {

namespace fs = std::filesystem;

const fs::path checkout = BRIO_SOURCE_DIR;

std::string text_of(const fs::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  for (int c = 0; pipe != nullptr && (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return text;
}

}  // namespace

TEST(Reliability, TheDocumentIsWhatIsMadeOfTheFiguresKept) {
  EXPECT_EQ(text_of(checkout / "docs/reliability.md"),
            output_of((checkout / "tools/reliability").string() + " --render"))
      << "tools/reliability --render > docs/reliability.md";
}

/// `module.Suite.Name`, or `module.Suite.*`.
TEST(Reliability, EveryTestThatBacksAPromiseExists) {
  const std::string document = text_of(checkout / "docs/reliability.md");
  const std::regex name(R"(`([a-z]+)\.([A-Z]\w+)\.(\w+|\*)`)");
  int found = 0;
  for (std::sregex_iterator at(document.begin(), document.end(), name), end; at != end; ++at, ++found) {
    std::string tests;
    for (const auto& entry : fs::directory_iterator(checkout / "tests" / (*at)[1].str()))
      tests += text_of(entry.path());
    const std::string test = (*at)[3] == "*" ? "\\w+" : (*at)[3].str();
    EXPECT_TRUE(std::regex_search(tests, std::regex("TEST(_F|_P)?\\(" + (*at)[2].str() + ", " + test + "\\)")))
        << at->str();
  }
  EXPECT_GE(found, 5);
}

}  // namespace brio
