#include "core/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <optional>
#include <thread>

#include "core/timer.h"

namespace brio {

namespace {

/// 0 when it cannot be started.
pid_t start(std::vector<std::string>& arguments, const std::filesystem::path& log) {
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int failure = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return failure == 0 ? child : 0;
}

/// Exit code when it has ended; nothing when it still runs and `options` says not to wait.
std::optional<int> exit_code(pid_t child, int options) {
  int status = 0;
  pid_t ended = 0;
  while ((ended = waitpid(child, &status, options)) < 0)
    if (errno != EINTR) return -1;
  if (ended == 0) return {};
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

int run_process(std::vector<std::string> arguments, const std::filesystem::path& log) {
  const pid_t child = start(arguments, log);
  return child == 0 ? -1 : *exit_code(child, 0);
}

int run_process_within(double seconds, std::vector<std::string> arguments, const std::filesystem::path& log) {
  const pid_t child = start(arguments, log);
  if (child == 0) return -1;
  const Stopwatch watch;
  while (watch.seconds() < seconds) {
    if (const auto code = exit_code(child, WNOHANG)) return *code;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  kill(child, SIGKILL);
  exit_code(child, 0);
  return 124;
}

}  // namespace brio
