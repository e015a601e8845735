#include "core/cancellation.h"

namespace brio {

Cancellation::Cancellation(const std::atomic<bool>* stop, double milliseconds) : stop_(stop) {
  constexpr double endless = 1e12;  // ms: thirty years, well within the clock's range
  if (milliseconds < endless)
    deadline_ = Clock::now() +
                std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::milli>(milliseconds));
}

void Cancellation::check() const {
  if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) throw Canceled{};
  if (deadline_ && Clock::now() >= *deadline_) throw Canceled{.out_of_time = true};
}

}  // namespace brio
