/// Work that may crash, hang or take all memory, done where that does no harm.
#pragma once

#include <functional>
#include <string>

namespace brio {

struct ChildLimits {
  double seconds = 60;  ///< until it is ended
  double bytes = 4e9;   ///< of memory, beyond which allocating fails in the child
};

struct ChildReport {
  enum class End { finished, crashed, out_of_time, out_of_memory, not_started };
  End end = End::not_started;
  int signal = 0;       ///< that a crash ended with
  std::string bytes{};  ///< what the work returned, if it finished

  /// "crashed (signal 11, Segmentation fault)"
  std::string text() const;
};

/// Runs `work` in a copy of this process and hands back what it returns. The work must not need other threads: the copy
/// has only the one that called. It prints nothing, is ended by Ctrl-C or when the caller is
/// canceled (core/cancellation.h), and does not outlive this process.
ChildReport run_in_child(const std::function<std::string()>& work, const ChildLimits& limits);

}  // namespace brio
