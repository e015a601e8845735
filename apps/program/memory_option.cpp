/// --memory: what the program may use.
#include <sys/resource.h>

#include <cmath>
#include <memory>
#include <thread>

#include "core/memory.h"
#include "program/program.h"

namespace brio::app {
namespace {

/// The system refuses what goes beyond, so that a message ends the program and not the system's shortage. Sanitizers
/// have most of their memory as bookkeeping, which is not to be counted.
void confine() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // OpenBLAS sets 128 MiB aside for each of its threads when they start, and asks again for ever where it gets none.
  const double for_libraries = 0.25e9 * (1 + std::max(1U, std::thread::hardware_concurrency()));
  rlimit limit{};
  for (const int resource : {RLIMIT_AS, RLIMIT_DATA})
    if (getrlimit(resource, &limit) == 0 && static_cast<double>(limit.rlim_cur) < for_libraries)
      throw InputError({.key = resource == RLIMIT_AS ? "ulimit -v" : "ulimit -d",
                        .value = size_text(static_cast<double>(limit.rlim_cur)),
                        .problem = "libraries alone set aside up to " + size_text(for_libraries),
                        .advice = "raise it; what brio itself may use is set by --memory"});
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = std::min(limit.rlim_max, static_cast<rlim_t>(memory_limit() + for_libraries));
  setrlimit(RLIMIT_DATA, &limit);
#endif
}

}  // namespace

void add_memory(CLI::App& program) {
  const auto gigabytes = std::make_shared<double>(0);
  program.add_option("--memory", *gigabytes, "Memory that may be used [GB]; four fifths of what there is unless given")
      ->check(
          [](const std::string& text) -> std::string {
            double value = 0;
            const bool read = CLI::detail::lexical_cast(text, value);
            return read && value > 0 && std::isfinite(value) ? "" : "must be a number of gigabytes above 0, such as 4";
          },
          "GB > 0");
  program.fallthrough();
  program.parse_complete_callback([gigabytes] {
    set_memory_limit(1e9 * *gigabytes);
    confine();
  });
}

}  // namespace brio::app
