/// What the program says when something is wrong, word for word: tests/apps/messages.txt is run as a transcript.
///
/// A line that starts with "$ " is a command, "> " goes on with it, lines indented by two spaces are what it printed on
/// either stream, "[1]" its exit code unless 0. Every "# " begins in an empty folder. `scene KEYS` writes s.toml, a
/// cube with these keys of its body. After a message was changed on purpose,
///   BRIO_REGENERATE=1 build/release/tests/test_apps --gtest_filter=Messages.*
/// writes the transcript again; read the difference before you commit it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "in_folder.h"
#include "run_program.h"

namespace {

namespace fs = std::filesystem;

const fs::path transcript = BRIO_SOURCE_DIR "/tests/apps/messages.txt";

constexpr const char* prelude = R"(
scene() { printf '[time]\nh = 0.001\nframes = 2\n[[body]]\nmesh = { generate = "cube", cells = 1 }\n%s\n' "$1" > s.toml; }
)";

std::vector<std::string> lines_of(std::istream& in) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// What the command prints, indented; without the path of the folder.
std::vector<std::string> answer(const std::string& command, const fs::path& folder) {
  std::ofstream(folder / ".command") << prelude << "cd " << folder.string() << "\nbrio() { " BRIO_PROGRAM
                                     << " \"$@\"; }\n"
                                     << command << "\n";
  const Result result = run_program("bash " + (folder / ".command").string() + " 2>&1");
  std::string text = result.output;
  const std::string prefix = folder.string() + "/";
  for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;) text.erase(at, prefix.size());
  std::istringstream in(text);
  std::vector<std::string> lines = lines_of(in);
  std::erase_if(lines, [](const std::string& line) {  // told where the libraries of reports are not at hand
    return line.find(" through npm, once (") != std::string::npos || line.ends_with("; nothing more is fetched now");
  });
  for (std::string& line : lines) line.insert(0, "  ");
  if (result.code != 0) lines.push_back("  [" + std::to_string(result.code) + "]");
  return lines;
}

/// The transcript with the answers of today.
std::vector<std::string> replayed(const std::vector<std::string>& lines, const fs::path& root) {
  std::vector<std::string> out;
  fs::path folder;
  std::string command;
  int cases = 0;
  const auto finish = [&] {
    if (command.empty()) return;
    for (std::string& line : answer(command, folder)) out.push_back(std::move(line));
    command.clear();
  };
  for (const std::string& line : lines) {
    if (line.starts_with("  ")) continue;
    if (!line.starts_with("> ")) finish();
    if (line.starts_with("# ")) {
      folder = root / std::to_string(++cases);
      fs::create_directories(folder);
    }
    if (line.starts_with("$ ")) command = line.substr(2);
    if (line.starts_with("> ")) command += "\n" + line.substr(2);
    out.push_back(line);
  }
  finish();
  return out;
}

}  // namespace

TEST(Messages, AreWordForWordThoseOfTheTranscript) {
  std::ifstream in(transcript);
  const std::vector<std::string> told = lines_of(in);
  ASSERT_GT(told.size(), 200u) << transcript;
  const brio::testing::TestFolder folder;
  const std::vector<std::string> today = replayed(told, folder.path());
  if (std::getenv("BRIO_REGENERATE") != nullptr) {
    std::ofstream out(transcript);
    for (const std::string& line : today) out << line << "\n";
    GTEST_SKIP() << "wrote " << transcript;
  }
  std::string heading;
  for (std::size_t i = 0; i < std::min(told.size(), today.size()); ++i) {
    if (told[i].starts_with("# ")) heading = told[i];
    ASSERT_EQ(today[i], told[i]) << transcript.string() << ":" << i + 1 << ", " << heading;
  }
  EXPECT_EQ(today.size(), told.size());
}
