#include "core/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

#include "brio/core.h"

namespace brio {
namespace {

/// Sets the number of threads for one test and puts back what was.
class ThreadsFor {
 public:
  explicit ThreadsFor(int count) : before_(threads()) { set_threads(count); }
  ThreadsFor(const ThreadsFor&) = delete;
  ThreadsFor& operator=(const ThreadsFor&) = delete;
  ~ThreadsFor() { set_threads(before_); }

 private:
  int before_;
};

/// Adds up numbers whose sum depends on the order of rounding, in chunks.
double chunked_sum(std::size_t chunks) {
  std::vector<double> parts(chunks);
  parallel_chunks(chunks, [&](std::size_t chunk) {
    for (int i = 1; i <= 1000; ++i) parts[chunk] += 1.0 / (i + 1000.0 * static_cast<double>(chunk));
  });
  return ordered_sum(parts);
}

}  // namespace

TEST(Threads, CountIsTheOneSet) {
  for (int count : {1, 2, 3}) EXPECT_EQ((ThreadsFor(count), threads()), count);
}

TEST(Threads, ZeroMeansAllCores) {
  const ThreadsFor all(0);
  EXPECT_GE(threads(), 1);
}

TEST(Threads, EveryChunkIsVisitedExactlyOnce) {
  for (int count : {1, 2, 3}) {
    const ThreadsFor some(count);
    for (std::size_t chunks : {0U, 1U, 2U, 7U, 1000U}) {
      std::vector<std::atomic<int>> visits(chunks);
      parallel_chunks(chunks, [&](std::size_t chunk) { ++visits.at(chunk); });
      for (const auto& visit : visits) EXPECT_EQ(visit, 1) << count << " threads, " << chunks << " chunks";
    }
  }
}

TEST(Threads, NestedChunksAreVisitedExactlyOnce) {
  for (int count : {1, 2, 3}) {
    const ThreadsFor some(count);
    std::vector<std::atomic<int>> visits(600);
    parallel_chunks(20, [&](std::size_t outer) {
      parallel_chunks(30, [&](std::size_t inner) { ++visits.at(30 * outer + inner); });
    });
    for (const auto& visit : visits) EXPECT_EQ(visit, 1) << count << " threads";
  }
}

TEST(Threads, ExceptionInAChunkReachesTheCaller) {
  for (int count : {1, 2, 3}) {
    const ThreadsFor some(count);
    const auto work = [](std::size_t chunk) {
      if (chunk == 57) throw std::domain_error("chunk 57");
    };
    EXPECT_THROW(parallel_chunks(100, work), std::domain_error) << count << " threads";
    EXPECT_EQ(chunked_sum(10), chunked_sum(10)) << "usable afterwards";
  }
}

TEST(Threads, SumsHaveTheSameBitsForAnyCount) {
  const double alone = (ThreadsFor(1), chunked_sum(64));
  for (int count : {2, 3, 8}) EXPECT_EQ((ThreadsFor(count), chunked_sum(64)), alone) << count << " threads";
}

#ifdef __SANITIZE_THREAD__
TEST(ThreadsDeathTest, ThreadSanitizerSeesARaceBetweenChunks) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto race = [] {
    set_threads(2);
    int shared = 0;
    parallel_chunks(100, [&](std::size_t) {
      ++shared;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    std::exit(shared > 0 ? 0 : 1);
  };
  EXPECT_EXIT(race(), ::testing::ExitedWithCode(66), "data race");  // 66: the sanitizer's exit code
}
#endif

TEST(Threads, MayBeSetWhileWorkIsUnderWay) {
  const ThreadsFor restored(2);
  const double wanted = chunked_sum(64);
  std::atomic<bool> stop = false;
  std::thread setter([&] {
    for (int count = 1; !stop; count = count % 4 + 1) set_threads(count);
  });
  for (int k = 0; k < 300; ++k) EXPECT_EQ(chunked_sum(64), wanted);
  stop = true;
  setter.join();
}

}  // namespace brio
