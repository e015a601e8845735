/// What a run holds in memory, as the system counts it.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
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
