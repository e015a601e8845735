/// Ctrl-C and SIGTERM as a wish to stop at the next good moment; a second one ends the program at once.
#pragma once

#include <csignal>

namespace brio::app {

/// As long as it lives. Also makes a file that has reached its allowed size an error of writing instead of a signal.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static bool requested();

 private:
  struct sigaction before_[3];
};

}  // namespace brio::app
