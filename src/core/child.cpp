#include "core/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>

#include "core/cancellation.h"
#include "core/timer.h"

namespace brio {
namespace {

// Exit codes of the child.
constexpr int finished = 0, no_memory = 3, threw = 4;

// Sanitizers reserve more addresses than any limit allows.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool limits_memory = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool limits_memory = false;
#else
constexpr bool limits_memory = true;
#endif
#else
constexpr bool limits_memory = true;
#endif

void limit(__rlimit_resource resource, double value) {
  const rlim_t max_bytes = value < 1e18 ? static_cast<rlim_t>(value) : RLIM_INFINITY;
  const rlimit bound{max_bytes, max_bytes};
  setrlimit(resource, &bound);
}

double bytes_mapped() {
  double pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

void write_all(int descriptor, const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t written = write(descriptor, bytes.data() + at, bytes.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(threw);
    at += static_cast<std::size_t>(written);
  }
}

/// Never returns. No destructors, no buffers of the parent are flushed.
[[noreturn]] void be_child(const std::function<std::string()>& work, const ChildLimits& limits, pid_t parent, int out) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(threw);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGPIPE})
    std::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, std::ceil(limits.seconds) + 1);
  if (limits_memory) limit(RLIMIT_AS, bytes_mapped() + limits.bytes);
  try {
    write_all(out, work());
  } catch (const std::bad_alloc&) {
    _exit(no_memory);
  } catch (...) {
    _exit(threw);
  }
  _exit(finished);
}

/// Until the child closes its end; false when the time is over before.
bool read_all(int descriptor, double seconds, std::string& bytes) {
  const Stopwatch watch;
  std::array<char, 1 << 16> buffer{};
  for (;;) {
    interruption_point();
    const double left = seconds - watch.seconds();
    if (left <= 0) return false;
    pollfd wait{.fd = descriptor, .events = POLLIN, .revents = 0};
    constexpr double glance = 100;  // ms
    if (poll(&wait, 1, static_cast<int>(std::ceil(std::min(1e3 * left, glance)))) <= 0) continue;
    const ssize_t count = read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

/// The child while it runs: whatever happens here, it is ended and waited for.
class Running {
 public:
  Running(pid_t child, int descriptor) : child_(child), descriptor_(descriptor) {}
  ~Running() {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      wait();
    }
    close(descriptor_);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  int wait() {
    int status = 0;
    while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = 0;
    return status;
  }

 private:
  pid_t child_;
  int descriptor_;
};

}  // namespace

std::string ChildReport::text() const {
  switch (end) {
    case End::finished:
      return "finished";
    case End::crashed:
      return signal == 0 ? "failed" : fmt::format("crashed (signal {}, {})", signal, strsignal(signal));
    case End::out_of_time:
      return "did not come to an end";
    case End::out_of_memory:
      return "ran out of memory";
    case End::not_started:
      break;
  }
  return "could not be started";
}

ChildReport run_in_child(const std::function<std::string()>& work, const ChildLimits& limits) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  // Not one of the three that the child turns away from.
  const int out = fcntl(ends[1], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  close(ends[1]);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) be_child(work, limits, parent, out);
  close(out);
  Running running(child, ends[0]);
  if (child < 0) return {};
  ChildReport report;
  if (!read_all(ends[0], limits.seconds, report.bytes)) return {.end = ChildReport::End::out_of_time};
  const int status = running.wait();
  if (WIFEXITED(status) && WEXITSTATUS(status) == finished) {
    report.end = ChildReport::End::finished;
  } else if (WIFEXITED(status) && WEXITSTATUS(status) == no_memory) {
    report = {.end = ChildReport::End::out_of_memory};
  } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
    report = {.end = ChildReport::End::out_of_time};
  } else {
    report = {.end = ChildReport::End::crashed, .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0};
  }
  return report;
}

}  // namespace brio
