/// Time that iterations should not exceed: who sets it opens a scope; what iterates within it, on the thread that
/// opened it, looks between its iterations and ends with the best that it has. Unlike cancellation
/// (core/cancellation.h) it interrupts nothing.
#pragma once

#include <chrono>

namespace brio {

class TimeBudget {
 public:
  /// From now [ms]; more than thirty years are endless.
  explicit TimeBudget(double milliseconds) : endless_(!(milliseconds < 1e12)), before_(current()) {
    if (!endless_)
      end_ = Clock::now() +
             std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::milli>(milliseconds));
    current() = this;
  }
  ~TimeBudget() { current() = before_; }
  TimeBudget(const TimeBudget&) = delete;
  TimeBudget& operator=(const TimeBudget&) = delete;

  static bool spent() { return current() != nullptr && !current()->endless_ && Clock::now() >= current()->end_; }

 private:
  using Clock = std::chrono::steady_clock;
  static const TimeBudget*& current() {
    static thread_local const TimeBudget* budget = nullptr;
    return budget;
  }
  bool endless_;
  Clock::time_point end_{};
  const TimeBudget* before_;
};

/// Whether the calling thread has used up what it may take.
inline bool out_of_time() { return TimeBudget::spent(); }

}  // namespace brio
