#include "core/threads.h"

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <memory>
#include <mutex>
#include <thread>

#include "brio/core.h"
#include "core/cancellation.h"
#ifdef BRIO_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>

/// What TBB does with memory of its own is beyond the sanitizer; what runs on its threads is not.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer's name
extern "C" const char* __tsan_default_suppressions() { return "called_from_lib:libtbb.so\n"; }
#endif

namespace brio {
namespace {

/// The thread sanitizer does not see into TBB and would call every hand-over of work a race. These two say what TBB
/// guarantees: what was written before publish() is seen after receive() of the same place.
#ifdef BRIO_THREAD_SANITIZER
void publish(char& place) { __tsan_release(&place); }
void receive(char& place) { __tsan_acquire(&place); }
#else
void publish(char& /*place*/) {}
void receive(char& /*place*/) {}
#endif

/// Every chunk sees what the caller wrote before it; the caller sees what every chunk wrote, or threw.
struct Fork {
  Fork() { publish(start); }
  Fork(const Fork&) = delete;
  Fork& operator=(const Fork&) = delete;
  ~Fork() { receive(finish); }
  char start = 0;
  char finish = 0;
};
struct ForkedChunk {
  explicit ForkedChunk(Fork& of) : fork(of) { receive(fork.start); }
  ForkedChunk(const ForkedChunk&) = delete;
  ForkedChunk& operator=(const ForkedChunk&) = delete;
  ~ForkedChunk() { publish(fork.finish); }
  Fork& fork;
};

constexpr int max_threads = 1024;

int all_cores() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

/// More threads than cores are allowed too: slower, but a way to prove that results do not depend on them.
struct Pool {
  explicit Pool(int count)
      : limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(std::max(count, all_cores()))),
        arena(count) {}
  tbb::global_control limit;
  tbb::task_arena arena;
};

/// A new count replaces the pool; work that is under way in the old one keeps it alive until it ends. A mutex, because
/// std::atomic<std::shared_ptr> of libstdc++ gives its lock back with relaxed order, which the sanitizer calls a race.
class CurrentPool {
 public:
  std::shared_ptr<Pool> get() {
    const std::lock_guard lock(mutex_);
    return pool_;
  }
  void replace(std::shared_ptr<Pool> next) {  // the old one ends outside the lock, with its parameter
    const std::lock_guard lock(mutex_);
    pool_.swap(next);
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<Pool> pool_ = std::make_shared<Pool>(all_cores());
};

CurrentPool& pool() {
  static CurrentPool instance;
  return instance;
}

}  // namespace

void set_threads(int count) {
  if (count < 0 || count > max_threads)
    throw InputError({.key = "threads",
                      .value = fmt::format("{}", count),
                      .problem = fmt::format("must be in [0, {}]", max_threads),
                      .advice = "0 uses all cores"});
  pool().replace(std::make_shared<Pool>(count == 0 ? all_cores() : count));
}

int threads() { return pool().get()->arena.max_concurrency(); }

void threads_detail::run_chunks(std::size_t count, void (*call)(void*, std::size_t), void* work) {
  const std::shared_ptr<Pool> here = pool().get();
  if (count <= 1 || here->arena.max_concurrency() == 1) {
    for (std::size_t chunk = 0; chunk < count; ++chunk) {
      interruption_point();
      call(work, chunk);
    }
    return;
  }
  Fork fork;
  const Cancellation* const cancellation = current_cancellation();
  const auto forked = [&](std::size_t chunk) {
    const ForkedChunk seen(fork);
    const CancelScope scope(cancellation);
    interruption_point();
    call(work, chunk);
  };
  here->arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, forked, tbb::simple_partitioner()); });
}

}  // namespace brio
