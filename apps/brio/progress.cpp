#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace brio::app {
namespace {

std::string clock_text(double seconds) {
  const long whole = std::lround(std::min(seconds, 3.6e6));
  return whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                      : fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

Progress::Progress(int frames) : frames_(frames), terminal_(isatty(STDERR_FILENO) == 1) {}

void Progress::show(int frame, double energy) {
  const double share = frames_ > 0 ? static_cast<double>(frame) / frames_ : 1;
  const double spent = watch_.seconds();
  const double left = share > 0 ? spent * (1 - share) / share : 0;
  if (terminal_) {
    constexpr double refresh = 0.1;  // s; more often only flickers
    if (spent - drawn_ < refresh && frame < frames_) return;
    drawn_ = spent;
    constexpr int width = 30;
    const int filled = static_cast<int>(share * width);
    fmt::print(stderr, "\r[{:=<{}}{:{}}] {}/{}  {} left  energy {:.6g} J\x1b[K", "", filled, "", width - filled, frame,
               frames_, clock_text(left), energy);
    std::fflush(stderr);
  } else if (const int tenths = static_cast<int>(share * 10); tenths > tenths_) {
    tenths_ = tenths;
    fmt::print(stderr, "frame {}/{}, {} left, energy {:.6g} J\n", frame, frames_, clock_text(left), energy);
  }
}

void Progress::finish() {
  if (terminal_) fmt::print(stderr, "\r\x1b[K");
}

}  // namespace brio::app
