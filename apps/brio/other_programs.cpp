/// Commands that are handed over to programs of their own, which stand beside this one and are built when asked for.
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <string_view>

#include "brio/core.h"
#include "commands.h"

namespace brio::app {
namespace {

struct OtherCommand {
  std::string_view name, program, target, sentence;
};

constexpr std::array other_commands{
    OtherCommand{"orders", "brio-lab", "brio_lab_app",
                 "Measure the order of integrators on problems with known answers"},
    OtherCommand{"bench", "brio-bench", "brio_bench_app",
                 "Measure speed as ratios to straightforward versions, in one run"},
    OtherCommand{"reproduce", "brio-lab", "brio_lab_app", "Run the figures and tables of the literature"},
    OtherCommand{"studio", "brio-studio", "brio_studio_app", "Take hold of a scene, in a browser"},
    OtherCommand{"share", "brio-studio", "brio_studio_app", "A scene as one page that simulates by itself, for others"},
    OtherCommand{"torture", "brio-lab", "brio_lab_app",
                 "Run random scenes and hold each to what its integrator promises"},
    OtherCommand{"python", "brio-python", "brio_python", "Python with brio in it: a script, -m MODULE, or a prompt"},
};

/// The first word that is neither an option of the program nor the value of one.
std::string_view command_of(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--memory") ++i;
    if (!word.starts_with("-")) return word;
  }
  return {};
}

}  // namespace

void add_other_programs(CLI::App& program) {
  for (const OtherCommand& command : other_commands)
    program.add_subcommand(std::string(command.name), std::string(command.sentence));
}

void hand_over(int argc, char** argv) {
  const std::string_view name = command_of(argc, argv);
  for (const OtherCommand& command : other_commands) {
    if (command.name != name) continue;
    std::error_code error;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    const std::string program = (self.parent_path() / command.program).string();
    execv(program.c_str(), argv);  // returns only when it failed
    throw InputError({.file = program,
                      .problem = errno == ENOENT ? "is not built" : "cannot be started",
                      .advice = "`./brio " + std::string(name) +
                                "` in the checkout builds it, as does `ninja -C build/release " +
                                std::string(command.target) + "`"});
  }
}

}  // namespace brio::app
