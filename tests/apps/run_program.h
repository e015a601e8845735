/// Runs a command line and keeps what it prints, for tests of the built program.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

struct Result {
  int code;
  std::string output;  ///< standard output
};

inline Result run_program(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  Result result{};
  std::array<char, 4096> buffer{};
  for (std::size_t count = 0; (count = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    result.output.append(buffer.data(), count);
  result.code = WEXITSTATUS(pclose(pipe));
  return result;
}
