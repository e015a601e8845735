#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/printable.h"
#include "program/say.h"

namespace brio::app {
namespace {

std::string clock_text(double seconds) {
  const long whole = std::lround(std::min(seconds, 3.6e6));
  return whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                      : fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

Progress::Progress() : terminal_(isatty(STDERR_FILENO) == 1) {}

void Progress::started(const Scene& scene, const std::filesystem::path&, long first) {
  first_ = first;
  frames_ = scene.frames;
  started_ = watch_.seconds();
  tenths_ = frames_ > 0 ? 10 * first_ / frames_ : 10;
  if (first_ > 0) say("going on after frame {}\n", first_);
}

void Progress::frame(long frame, const LedgerRow& row, double in_play) {
  const double now = watch_.seconds();
  const double each = (now - started_) / static_cast<double>(frame - first_);  // s
  const std::string text =
      fmt::format("{}/{}, {} left, {:.4g} J in play, {} iterations, {:.3g} ms/frame", frame, frames_,
                  clock_text(each * static_cast<double>(frames_ - frame)), in_play, row.iterations, 1e3 * each);
  if (terminal_) {
    constexpr double refresh = 0.1;  // s; more often only flickers
    if (now - drawn_ < refresh && frame < frames_) return;
    drawn_ = now;
    constexpr long width = 20;
    const long filled = width * frame / frames_;
    say("\r[{:=<{}}{:{}}] {}\x1b[K", "", filled, "", width - filled, text);
    std::fflush(stderr);
  } else if (const long tenths = 10 * frame / frames_; tenths > tenths_) {
    tenths_ = tenths;
    say("frame {}\n", text);
  }
}

void Progress::warning(const std::string& text) { say("{}brio: {}\n", terminal_ ? "\r\x1b[K" : "", printable(text)); }

void Progress::recorded() {
  if (terminal_) say("\r\x1b[K");
}

}  // namespace brio::app
