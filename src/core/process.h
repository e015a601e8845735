/// Other programs, run to their end, which do not outlive us: they are killed when we are, however that happens.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace brio {

/// Runs a program, looked for along PATH, with nothing to read and all it prints going to `log`. Its exit code, 128
/// plus the number of a signal that ended it, 127 or -1 if it could not be started.
int run_process(std::vector<std::string> arguments, const std::filesystem::path& log);

/// The same, but ends the program, with all that it started, after so many seconds; the exit code is then 124. Where a
/// SignalHold has noted a signal, the program is ended likewise, and the exit code is 128 plus the number of that.
int run_process_within(double seconds, std::vector<std::string> arguments, const std::filesystem::path& log);

/// While one lives, SIGINT, SIGTERM and SIGHUP are noted; when the last one goes, what came is delivered. In between
/// there is time to end other programs and to tidy up. Signals that are ignored stay so.
class SignalHold {
 public:
  SignalHold();
  ~SignalHold();
  SignalHold(const SignalHold&) = delete;
  SignalHold& operator=(const SignalHold&) = delete;

  static int noted();  ///< the number of the signal; 0: none
};

}  // namespace brio
