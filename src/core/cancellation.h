/// Work that can be told to stop. Who starts it opens a scope; everything that the thread does within the scope,
/// chunks on other threads included (core/threads.h), looks now and then whether it should go on. Loops that run long
/// without `parallel_chunks` call `interruption_point` themselves. As with Boost's and POSIX's interruption points,
/// functions in between need not know: what they were doing is undone by whoever opened the scope.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

namespace brio {

/// Thrown where work is to stop. No std::exception: nothing that deals with errors may take it for one.
struct Canceled {
  bool out_of_time = false;  ///< its time is used up; else it was asked to
};

class Cancellation {
 public:
  /// `stop` may be null, `milliseconds` infinite; they count from now.
  Cancellation(const std::atomic<bool>* stop, double milliseconds);
  /// Throws Canceled when the time has come.
  void check() const;

 private:
  using Clock = std::chrono::steady_clock;
  const std::atomic<bool>* stop_;
  std::optional<Clock::time_point> deadline_;
};

namespace cancellation_detail {
inline constinit thread_local const Cancellation* current = nullptr;
}

/// What the calling thread works under; null: it cannot be stopped.
inline const Cancellation* current_cancellation() { return cancellation_detail::current; }

/// The calling thread works under `cancellation` as long as the scope lives.
class CancelScope {
 public:
  explicit CancelScope(const Cancellation* cancellation) : before_(cancellation_detail::current) {
    cancellation_detail::current = cancellation;
  }
  ~CancelScope() { cancellation_detail::current = before_; }
  CancelScope(const CancelScope&) = delete;
  CancelScope& operator=(const CancelScope&) = delete;

 private:
  const Cancellation* before_;
};

inline void interruption_point() {
  if (const Cancellation* const cancellation = current_cancellation()) cancellation->check();
}

}  // namespace brio
