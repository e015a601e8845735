#include "core/process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <mutex>
#include <optional>
#include <thread>

#include "core/timer.h"

namespace brio {

namespace {

constexpr std::array held_signals{SIGINT, SIGTERM, SIGHUP};

std::mutex hold_mutex;
int hold_count = 0;
std::array<struct sigaction, held_signals.size()> handlers_before;
volatile std::sig_atomic_t noted_signal = 0;

void note_signal(int number) { noted_signal = number; }

/// What the new process does first; only what is allowed between fork and exec in a program of many threads.
[[noreturn]] void become(char** argv, const char* log, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // it ended before we asked to be told
  for (const int number : held_signals) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int in = open("/dev/null", O_RDONLY);
  const int out = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
  if (in < 0 || out < 0) _exit(127);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  if (in > STDERR_FILENO) close(in);
  if (out > STDERR_FILENO) close(out);
  execvp(argv[0], argv);
  _exit(127);
}

/// In a process group of its own; 0 when it cannot be started.
pid_t start(std::vector<std::string>& arguments, const std::filesystem::path& log) {
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) become(argv.data(), log.c_str(), parent);
  if (child > 0) setpgid(child, child);  // either of the two comes first
  return child > 0 ? child : 0;
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
  while (watch.seconds() < seconds && SignalHold::noted() == 0) {
    if (const auto code = exit_code(child, WNOHANG)) return *code;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  kill(-child, SIGKILL);
  exit_code(child, 0);
  return SignalHold::noted() != 0 ? 128 + SignalHold::noted() : 124;
}

SignalHold::SignalHold() {
  const std::lock_guard lock(hold_mutex);
  if (hold_count++ > 0) return;
  noted_signal = 0;
  for (std::size_t i = 0; i < held_signals.size(); ++i) {
    struct sigaction action {};
    action.sa_handler = note_signal;
    action.sa_flags = SA_RESTART;
    sigaction(held_signals[i], &action, &handlers_before[i]);
    if (handlers_before[i].sa_handler == SIG_IGN) sigaction(held_signals[i], &handlers_before[i], nullptr);
  }
}

SignalHold::~SignalHold() {
  const std::lock_guard lock(hold_mutex);
  if (--hold_count > 0) return;
  for (std::size_t i = 0; i < held_signals.size(); ++i) sigaction(held_signals[i], &handlers_before[i], nullptr);
  if (const int number = noted_signal; number != 0) {
    noted_signal = 0;
    raise(number);  // on this thread, and so before we go on
  }
}

int SignalHold::noted() { return noted_signal; }

}  // namespace brio
