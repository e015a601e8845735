#include "core/safe_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <limits>
#include <thread>

#include "core/cancellation.h"
#include "in_folder.h"

namespace brio {
namespace {

namespace fs = std::filesystem;

class SafeFiles : public brio::testing::InFolder {
 protected:
  std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const auto& entry : fs::directory_iterator(folder)) list.push_back(entry.path().filename());
    std::ranges::sort(list);
    return list;
  }
  template <class Action>
  std::string complaint(Action action) {
    try {
      action();
    } catch (const WriteError& error) {
      return error.what();
    }
    return "accepted";
  }
};

}  // namespace

TEST_F(SafeFiles, AppearWhenTheyAreCompleteAndLeaveNothingElse) {
  {
    SafeFile file(folder / "a.txt");
    file.write("half");
    EXPECT_FALSE(fs::exists(folder / "a.txt"));
    ASSERT_EQ(names().size(), 1u);
    EXPECT_EQ(unfinished_file(names()[0]), "a.txt");
    file.write(" and half");
    file.finish();
  }
  EXPECT_EQ(read("a.txt"), "half and half");
  EXPECT_EQ(names(), std::vector<std::string>{"a.txt"});
  {
    SafeFile file(folder / "b.txt");
    file.write("half");
  }
  EXPECT_EQ(names(), std::vector<std::string>{"a.txt"}) << "what is not finished goes";
}

TEST_F(SafeFiles, ReplaceALinkAndNeverWriteThroughIt) {
  write("victim", "precious");
  for (const char* link : {"a.txt", "a.txt.part", "a.txt.tmp"}) fs::create_symlink("victim", folder / link);
  write_safely(folder / "a.txt", "new");
  EXPECT_EQ(read("victim"), "precious");
  EXPECT_FALSE(fs::is_symlink(folder / "a.txt"));
  EXPECT_EQ(read("a.txt"), "new");
  EXPECT_TRUE(fs::is_symlink(folder / "a.txt.part"));
}

/// Of a name that somebody foresaw all the same.
TEST_F(SafeFiles, AreMadeOnlyWhereNothingIs) {
  std::ofstream(folder / "victim") << "precious";
  std::filesystem::create_symlink("victim", folder / "link");
  std::filesystem::create_symlink("nowhere", folder / "dangling");
  std::filesystem::create_directory(folder / "folder");
  for (const char* name : {"victim", "link", "dangling", "folder"}) {
    errno = 0;
    EXPECT_EQ(create_new(folder / name), -1) << name;
    EXPECT_EQ(errno, EEXIST) << name;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "nowhere"));
  EXPECT_EQ(std::filesystem::file_size(folder / "victim"), 8u);
  const int descriptor = create_new(folder / "new");
  EXPECT_GE(descriptor, 0);
  close(descriptor);
}

TEST_F(SafeFiles, HaveNamesThatNobodyCanForesee) {
  SafeFile one(folder / "a");
  SafeFile two(folder / "a");
  EXPECT_EQ(names().size(), 2u);
  EXPECT_EQ(unfinished_file("a"), "");
  EXPECT_EQ(unfinished_file("a.part"), "");
  EXPECT_EQ(unfinished_file("a.0123456789ab.part"), "a");
  EXPECT_EQ(unfinished_file("a.0123456789aX.part"), "");
  EXPECT_EQ(unfinished_file(".0123456789ab.part"), "");
  EXPECT_EQ(unfinished_file("0123456789ab.part"), "");
}

TEST_F(SafeFiles, NameTheFileThatWasMeantWhenTheDiskRefuses) {
  EXPECT_EQ(complaint([&] { write_safely(folder / "nowhere" / "a", ""); }),
            (folder / "nowhere" / "a").string() +
                ": cannot be written: No such file or directory; see that the folder exists and may be written to");
  fs::create_directories(folder / "d" / "e");
  EXPECT_NE(complaint([&] { write_safely(folder / "d", ""); }), "accepted");
  EXPECT_EQ(names(), std::vector<std::string>{"d"});
}

TEST_F(SafeFiles, FilesThatGrowAreNeverLinksPipesOrKnownElsewhere) {
  write("victim", "precious");
  fs::create_symlink("victim", folder / "soft");
  fs::create_symlink("not-there", folder / "dangling");
  fs::create_hard_link(folder / "victim", folder / "hard");
  mkfifo((folder / "pipe").c_str(), 0600);
  for (const std::uint64_t keep : {0u, 3u}) {
    for (const char* name : {"soft", "dangling"})
      EXPECT_NE(complaint([&] { AppendFile(folder / name, keep).append("x"); }).find("is a link"), std::string::npos);
    EXPECT_NE(complaint([&] { AppendFile(folder / "hard", keep); }).find("hard link"), std::string::npos);
    EXPECT_NE(complaint([&] { AppendFile(folder / "pipe", keep); }), "accepted");
    EXPECT_NE(complaint([&] { AppendFile(folder, keep); }), "accepted");
  }
  EXPECT_EQ(read("victim"), "precious");
  EXPECT_FALSE(fs::exists(folder / "not-there"));
}

/// As a program does that gives up work of its threads; it keeps the lock, so another process has to.
TEST_F(SafeFiles, ThoseThatAreNotFinishedCanBeRemovedByAnyThread) {
  const pid_t child = fork();
  if (child == 0) {
    SafeFile finished(folder / "finished");
    finished.write("whole");
    finished.finish();
    SafeFile half(folder / "half");
    half.write(std::string(3 << 20, 'x'));
    std::thread([] { remove_unfinished_files(); }).join();
    _exit(names() == std::vector<std::string>{"finished"} ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(names(), std::vector<std::string>{"finished"});
}

TEST_F(SafeFiles, WritingThatIsCanceledLeavesNothing) {
  const std::atomic<bool> stop = true;
  const Cancellation cancellation(&stop, std::numeric_limits<double>::infinity());
  const CancelScope scope(&cancellation);
  EXPECT_THROW(write_safely(folder / "a", "text"), Canceled);
  EXPECT_TRUE(names().empty());
}

}  // namespace brio
