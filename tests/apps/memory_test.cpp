/// What a run holds in memory, as the system counts it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "in_folder.h"

namespace {

namespace fs = std::filesystem;

class Memory : public brio::testing::InFolder {
 protected:
  void SetUp() override {
    std::ofstream(folder / "s.toml") << "[time]\nh = 1e-4\nframes = 100\n[output]\nformats = ['pc2', 'usda', 'gltf']\n"
                                        "[[body]]\nmesh = { generate = 'bar', cells = [14, 9, 9] }\nspin = [0, 1, 0]\n";
  }
  /// The most that a command had in memory at any moment [bytes]; -1 when it failed.
  long peak(std::vector<std::string> words) const {
    words.insert(words.begin(), BRIO_PROGRAM);
    const pid_t child = fork();
    if (child == 0) {
      std::vector<char*> arguments;
      arguments.reserve(words.size() + 1);
      for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
      arguments.push_back(nullptr);
      setenv("ASAN_OPTIONS", "quarantine_size_mb=0", 1);  // else the sanitizer keeps what was given back
      if (chdir(folder.c_str()) == 0 && freopen("stderr", "w", stderr) != nullptr &&
          freopen("stdout", "w", stdout) != nullptr)
        execv(BRIO_PROGRAM, arguments.data());
      _exit(98);
    }
    int status = 0;
    rusage used{};
    wait4(child, &status, 0, &used);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 1024L * used.ru_maxrss : -1;
  }
};

}  // namespace

TEST_F(Memory, DoesNotGrowWithFrames) {
  const long few = peak({"run", "s.toml", "-o", "few", "--frames", "100"});
  const long many = peak({"run", "s.toml", "-o", "many", "--frames", "1000"});
  ASSERT_GT(few, 0);
  ASSERT_GT(many, 0);
  const auto recorded =
      static_cast<long>(fs::file_size(folder / "many/frames.bin") - fs::file_size(folder / "few/frames.bin"));
  ASSERT_GT(recorded, 30'000'000);
  // The page shows up to 300 frames of the surface, which 100 do not fill; nothing else may follow the frames.
  EXPECT_LT(many - few, recorded / 3) << few << " bytes with 100 frames, " << many << " with 1000";
}

TEST_F(Memory, GrowsWithCopiesNoFasterThanTheirNumber) {
  write("s.toml",
        "[time]\nh = 1e-3\nframes = 1\n[[body]]\nmesh = { generate = 'cube', cells = 1, size = 0.1 }\n"
        "spacing = [0.2, 0.2, 0.2]\n");
  const auto with = [&](const char* copies) {
    return peak({"scene", "check", "s.toml", "--set", std::string("body[0].copies=") + copies});
  };
  const long one = with("[1, 1, 1]"), few = with("[20, 20, 5]"), many = with("[40, 20, 10]");
  ASSERT_GT(one, 0);
  ASSERT_GT(few, 0);
  ASSERT_GT(many, 0);
  EXPECT_LT(many - one, 5 * (few - one)) << "four times as many: " << one << ", " << few << ", " << many << " bytes";
}

/// Allocations really fail here: the user insists on more than the shell allows.
TEST_F(Memory, WhatRunsOutIsToldWithWhatWasAskedFor) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer has memory of its own";
#endif
  const double allowed = 0.25e9 * (1 + std::max(1U, std::thread::hardware_concurrency())) + 5e7;  // bytes
  const auto confined = [&](double bytes, const std::string& arguments) {
    const std::string command = fmt::format("cd {} && ulimit -v {:.0f} && timeout 60 {} {} >/dev/null 2>stderr",
                                            folder.string(), bytes / 1024, BRIO_PROGRAM, arguments);
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  // A cell has five tets, a tet takes a good hundred bytes before anything else is made of it.
  const int cells = static_cast<int>(std::cbrt(2 * allowed / 1500));
  write("s.toml",
        fmt::format("[time]\nh = 1e-3\nframes = 1\n[[body]]\nmesh = {{ generate = 'cube', cells = {} }}\n", cells));
  EXPECT_EQ(confined(allowed, "scene check s.toml --memory 1000"), 1) << read("stderr");
  EXPECT_TRUE(std::regex_match(
      read("stderr"),
      std::regex("brio: out of memory: [0-9.e+]+ MB more were asked for; 1 TB may be used; the last large "
                 "claim was a body of [0-9.]+ million cells, about [0-9.]+ [GM]B; choose a coarser mesh, "
                 "fewer bodies or frames, or give it more with --memory\n")))
      << read("stderr");
  EXPECT_EQ(confined(allowed, "scene check s.toml"), 1) << "without insisting it is refused beforehand";
  EXPECT_NE(read("stderr").find("would take about"), std::string::npos) << read("stderr");
  EXPECT_EQ(confined(4e8, "scene check s.toml"), 1) << "OpenBLAS would ask for ever";
  EXPECT_NE(read("stderr").find("brio: ulimit -v = 400 MB: libraries alone set aside up to"), std::string::npos)
      << read("stderr");
}
