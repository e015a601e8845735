/// Ctrl-C and SIGTERM as a wish to stop: work under way is canceled, what must be saved is saved, and exit code 130
/// follows. A second one ends the program at once, and work that does not answer the first within a second is given up.
#pragma once

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <functional>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include "brio/core.h"
#include "core/append_file.h"
#include "core/cancellation.h"

namespace brio::app {

/// The user stopped it; what was done is saved: exit code 130, as shells expect after Ctrl-C.
struct Interrupted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

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

/// Whoever reads what is printed may go (`brio run … | head`): from now on that costs the words, not the work.
void outlive_readers();

/// While it lives, the wish to stop must be answered: when a second has passed since, `give_up` is called on another
/// thread, unfinished files are removed and the program ends with exit code 130. Some work cannot be canceled, such as
/// a large factorization. One within another takes its place as long as it lives.
class Patience {
 public:
  /// give_up tells the user; it returns false where it is no good moment, and is then asked again.
  explicit Patience(std::function<bool()> give_up);
  ~Patience();
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

 private:
  void wait();

  static std::atomic<Patience*> current_;
  Patience* outer_;
  std::function<bool()> give_up_;
  std::mutex mutex_;
  std::condition_variable over_;
  bool answered_ = false;
  std::thread watch_;
};

void say_interrupted(const std::string& words);

/// Does work that may be dropped where it stands, since it leaves nothing half done. When it is, Interrupted tells the
/// words.
template <class Work>
auto stoppable(const std::string& words, Work work) {
  const Cancellation cancellation(&Interrupt::flag(), std::numeric_limits<double>::infinity());
  const CancelScope scope(&cancellation);
  const Patience patience([&words] {
    say_interrupted(words);
    return true;
  });
  try {
    return work();
  } catch (const Canceled&) {
    throw Interrupted(words);
  } catch (const WriteError&) {
    throw;
  } catch (const InputError&) {
    if (!Interrupt::requested()) throw;
    throw Interrupted(words);  // helpers that the signal ended as well are missed as if the input were bad
  }
}

}  // namespace brio::app
