/// Runs `brio reproduce` as a user would.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "run_program.h"

namespace {

namespace fs = std::filesystem;

Result brio_tells(const std::string& arguments) { return run_program(BRIO_PROGRAM " " + arguments + " 2>/dev/null"); }

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

TEST(ReproduceCommand, WritesAPageForEachAndAnIndex) {
  const fs::path folder = fs::path(testing::TempDir()) / "brio_reproduce";
  fs::remove_all(folder);
  const std::string where = " --quick --json -o " + folder.string();
  const Result result = brio_tells("reproduce s0-fig3" + where);
  ASSERT_EQ(result.code, 0);
  const auto row = nlohmann::json::parse(result.output);
  EXPECT_EQ(row["id"], "s0-fig3");
  EXPECT_EQ(row["verdict"], "holds");
  const std::string page = text_of(folder / "s0-fig3/report.html");
  for (const std::string word : {"brio reproduce s0-fig3 --quick", "<svg", "Holds: "})
    EXPECT_NE(page.find(word), std::string::npos) << word;
  EXPECT_EQ(brio_tells("reproduce s3-fig1" + where).code, 0);
  const std::string index = text_of(folder / "index.html");
  for (const std::string link : {"s0-fig3/report.html", "s3-fig1/report.html"})
    EXPECT_NE(index.find(link), std::string::npos) << "those of earlier calls are still there";
  const std::string kept = text_of(folder / "results.jsonl");
  EXPECT_EQ(brio_tells("reproduce s3-fig1 --resume" + where).code, 0);
  EXPECT_EQ(text_of(folder / "results.jsonl"), kept) << "what is there already is not run again";
  EXPECT_EQ(brio_tells("reproduce s0-figg3 --list").code, 1);
  fs::remove_all(folder);
}

TEST(Documentation, OfTheLiteratureIsWhatWasKept) {
  const Result result = brio_tells("reproduce --markdown --keep " BRIO_SOURCE_DIR "/docs/reproduction.jsonl");
  ASSERT_EQ(result.code, 0);
  EXPECT_TRUE(text_of(BRIO_SOURCE_DIR "/docs/reproduction.md") == result.output)
      << "docs/reproduction.md is stale: ./brio reproduce --markdown > docs/reproduction.md";
}
