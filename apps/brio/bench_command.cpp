/// brio bench: handed over to brio-bench, a program of its own, which stands beside this one.
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "brio/core.h"
#include "commands.h"

namespace brio::app {

void add_bench(CLI::App& program) {
  program.add_subcommand("bench", "Measure speed as ratios to straightforward versions, in one run");
}

void hand_over_to_bench(char** arguments) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string program = (self.parent_path() / "brio-bench").string();
  execv(program.c_str(), arguments);  // returns only when it failed
  throw InputError(
      {.file = program,
       .problem = errno == ENOENT ? "is not built" : "cannot be started",
       .advice = "`./brio bench` in the checkout builds it, as does `ninja -C build/release brio_bench_app`"});
}

}  // namespace brio::app
