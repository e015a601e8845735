/// Ctrl-C and SIGTERM as a wish to stop: work under way is canceled and saved. A second one ends the program at once,
/// and work that does not answer the first within a second is given up.
#pragma once

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <functional>
#include <mutex>
#include <thread>

namespace brio::app {

/// As long as it lives. Also makes a file that has reached its allowed size an error of writing instead of a signal.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static bool requested() { return flag().load(); }
  /// For whoever can be canceled.
  static const std::atomic<bool>& flag();

 private:
  struct sigaction before_[3];
};

/// While it lives, the wish to stop must be answered: when a second has passed since, `give_up` is called on another
/// thread, and the program ends with exit code 130. Some work cannot be canceled, such as a large factorization.
class Patience {
 public:
  /// give_up returns false where it is no good moment; it is then asked again.
  explicit Patience(std::function<bool()> give_up);
  ~Patience();
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

 private:
  void wait();

  std::function<bool()> give_up_;
  std::mutex mutex_;
  std::condition_variable over_;
  bool answered_ = false;
  std::thread watch_;
};

}  // namespace brio::app
