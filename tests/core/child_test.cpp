#include "core/child.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/cancellation.h"
#include "core/timer.h"

namespace brio {
namespace {

using End = ChildReport::End;

TEST(Child, HandsBackWhatTheWorkReturns) {
  const std::string much(5'000'000, 'x');  // more than a pipe holds
  const ChildReport report = run_in_child([&] { return much + "y"; }, {});
  EXPECT_EQ(report.end, End::finished);
  EXPECT_EQ(report.bytes, much + "y");
}

TEST(Child, WhatEndsTheWorkDoesNotEndUs) {
  const ChildReport aborted = run_in_child([]() -> std::string { std::abort(); }, {});
  EXPECT_EQ(aborted.end, End::crashed);
  EXPECT_EQ(aborted.signal, SIGABRT);
  EXPECT_EQ(run_in_child(
                []() -> std::string {
                  raise(SIGSEGV);
                  return "";
                },
                {})
                .signal,
            SIGSEGV);
  EXPECT_EQ(run_in_child([]() -> std::string { throw std::runtime_error("no"); }, {}).end, End::crashed);
  EXPECT_EQ(run_in_child([]() -> std::string { _exit(1); }, {}).text(), "failed");
}

TEST(Child, WhatDoesNotEndIsEnded) {
  const Stopwatch watch;
  const ChildReport report = run_in_child(
      []() -> std::string {
        for (volatile bool going = true; going;) {
        }
        return "";
      },
      {.seconds = 0.2});
  EXPECT_EQ(report.end, End::out_of_time);
  EXPECT_LT(watch.seconds(), 5);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "nothing is left to wait for";
}

#ifndef __SANITIZE_ADDRESS__
#ifndef __SANITIZE_THREAD__
TEST(Child, MemoryIsLimited) {
  const ChildReport report = run_in_child(
      [] {
        std::vector<std::unique_ptr<std::string>> hoard;
        for (int i = 0; i < 10000; ++i) hoard.push_back(std::make_unique<std::string>(1U << 20U, 'x'));
        return std::string("all");
      },
      {.bytes = 1e8});
  EXPECT_EQ(report.end, End::out_of_memory);
}
#endif
#endif

TEST(Child, EndsWithWhomItWorksFor) {
  const std::atomic<bool> stop = true;
  const Cancellation cancellation(&stop, 1e12);
  const CancelScope scope(&cancellation);
  const Stopwatch watch;
  EXPECT_THROW(run_in_child(
                   []() -> std::string {
                     for (;;) pause();
                   },
                   {}),
               Canceled);
  EXPECT_LT(watch.seconds(), 5);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "nothing is left to wait for";
}

/// Also when we are killed without a chance to clean up.
TEST(Child, DoesNotOutliveUs) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t middle = fork();
  if (middle == 0) {
    run_in_child(
        [&]() -> std::string {
          const pid_t self = getpid();
          if (write(ends[1], &self, sizeof self) != sizeof self) _exit(1);
          for (;;) pause();
        },
        {});
    _exit(0);
  }
  pid_t grandchild = 0;
  ASSERT_EQ(read(ends[0], &grandchild, sizeof grandchild), static_cast<ssize_t>(sizeof grandchild));
  kill(middle, SIGKILL);
  waitpid(middle, nullptr, 0);
  const auto alive = [&] {
    std::ifstream status("/proc/" + std::to_string(grandchild) + "/stat");
    std::string id, name, state;
    return (status >> id >> name >> state) && state != "Z" && state != "X";
  };
  for (int i = 0; i < 500 && alive(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(alive());
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace brio
