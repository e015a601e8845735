/// Other programs, run to their end.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace brio {

/// Runs a program, looked for along PATH, with nothing to read and all it prints going to `log`. Its exit code, 128
/// plus the number of a signal that ended it, 127 or -1 if it could not be started.
int run_process(std::vector<std::string> arguments, const std::filesystem::path& log);

/// The same, but ends the program after so many seconds; the exit code is then 124.
int run_process_within(double seconds, std::vector<std::string> arguments, const std::filesystem::path& log);

}  // namespace brio
