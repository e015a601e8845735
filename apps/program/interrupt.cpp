#include "program/interrupt.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>

#include "core/safe_file.h"
#include "program/say.h"

namespace brio::app {
namespace {

std::atomic<bool> wish = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

void note(int /*signal*/) { wish = true; }

constexpr std::array signals{SIGINT, SIGTERM, SIGXFSZ};

}  // namespace

Interrupt::Interrupt() {
  wish = false;
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

const std::atomic<bool>& Interrupt::flag() { return wish; }

void outlive_readers() { std::signal(SIGPIPE, SIG_IGN); }

void say_interrupted(const std::string& words) { say("\nbrio: {}\n", words); }

std::atomic<Patience*> Patience::current_ = nullptr;

Patience::Patience(std::function<bool()> give_up)
    : outer_(current_.exchange(this)), give_up_(std::move(give_up)), watch_([this] { wait(); }) {}

Patience::~Patience() {
  {
    const std::lock_guard lock(mutex_);
    answered_ = true;
  }
  over_.notify_all();
  watch_.join();
  current_ = outer_;
}

void Patience::wait() {
  using namespace std::chrono_literals;
  constexpr auto glance = 50ms;  // a signal handler may wake no thread: the wish is looked at
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr auto patience = 8s;  // everything takes ten times as long
#else
  constexpr auto patience = 600ms;
#endif
  std::unique_lock lock(mutex_);
  const auto until = [&](auto time) { return over_.wait_for(lock, time, [this] { return answered_; }); };
  for (;;) {
    while (!wish || current_ != this)
      if (until(glance)) return;
    if (until(patience)) return;
    while (current_ == this) {
      if (give_up_()) {
        remove_unfinished_files();
        _exit(130);
      }
      if (until(glance)) return;
    }
  }
}

}  // namespace brio::app
