#include "interrupt.h"

#include <array>

namespace brio::app {
namespace {

volatile std::sig_atomic_t wish = 0;

void note(int /*signal*/) { wish = 1; }

constexpr std::array signals{SIGINT, SIGTERM, SIGXFSZ};

}  // namespace

Interrupt::Interrupt() {
  wish = 0;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    struct sigaction action {};
    if (signals[i] == SIGXFSZ) {
      action.sa_handler = SIG_IGN;
    } else {
      action.sa_handler = note;
      action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
    }
    sigaction(signals[i], &action, &before_[i]);
  }
}

Interrupt::~Interrupt() {
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
}

bool Interrupt::requested() { return wish != 0; }

}  // namespace brio::app
