#include "program/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "core/fields.h"
#include "core/memory.h"
#include "core/out_of_memory.h"
#include "core/printable.h"
#include "mesh/models/package.h"
#include "program/interrupt.h"
#include "program/say.h"

namespace brio::app {
namespace {

/// The library that reads command lines only says that one is needed.
void check_command(const CLI::App& program, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (std::ranges::count(names, argv[1]) == 0) refuse_name("command", argv[1], "no such command", names);
}

/// The first file to be opened would otherwise take the place of a stream that the caller closed, and receive its text.
void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1) open("/dev/null", O_RDWR);  // the lowest that is free, which is this one
}

/// What could not be printed is missed by whoever reads it.
int finish_output() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  say("brio: standard output cannot be written; what was to be printed is lost\n");
  return 1;
}

/// What the reader of command lines says repeats words of the command line.
int refuse_command_line(const CLI::App& program, const CLI::ParseError& error) {
  std::ostringstream said;
  std::ostringstream complained;
  const int code = program.exit(error, said, complained);
  std::fputs(said.str().c_str(), stdout);
  std::istringstream in(complained.str());
  for (std::string line; std::getline(in, line);) say("{}\n", printable(line));
  return code == 0 ? finish_output() : 1;
}

}  // namespace

void set_up(CLI::App& program) {
  program.require_subcommand(1);
  program.footer(
      "Exit codes: 0 done, 1 bad input or a disk or memory that is full, 2 the simulation failed or exploded, 3 a "
      "claim "
      "was not met, 130 interrupted (Ctrl-C, SIGTERM).");
  add_memory(program);
}

int run_program(CLI::App& program, int argc, char** argv) {
  open_standard_streams();
  on_fetch([](const std::string& news) { say("brio: {}\n", printable(news)); });
  try {
    check_command(program, argc, argv);
    const Interrupt interrupt;
    stoppable("interrupted; files that were not finished are removed", [&] { program.parse(argc, argv); });
  } catch (const CLI::ParseError& error) {
    return refuse_command_line(program, error);
  } catch (const SimulationFailed& error) {
    say("brio: {}\n", error.what());
    return 2;
  } catch (const Interrupted& error) {
    say("brio: {}\n", error.what());
    return 130;
  } catch (const ClaimFailed& error) {
    say("brio: {}\n", error.what());
    return 3;
  } catch (const std::bad_alloc& error) {
    const std::string claim = last_memory_claim();
    const bool sized = dynamic_cast<const OutOfMemory*>(&error) != nullptr;
    say("brio: {}; {} may be used{}; choose a coarser mesh, fewer bodies or frames, or give it more with "
        "--memory\n",
        sized ? error.what() : "out of memory", size_text(memory_limit()),
        claim.empty() ? "" : "; the last large claim was " + claim);
    std::fflush(nullptr);
    _exit(1);  // what libraries do at the end takes memory too, and OpenBLAS waits for it for ever
  } catch (const std::filesystem::filesystem_error& error) {
    say("brio: {}: {}; choose another name or folder\n", printable(error.path1().string()), error.code().message());
    return 1;
  } catch (const std::system_error& error) {
    const bool no_threads = error.code() == std::errc::resource_unavailable_try_again;
    say("brio: {}{}\n", printable(error.what()),
        no_threads ? ": the system gives no more threads; allow more (ulimit -u, ulimit -v)" : "");
    return 1;
  } catch (const std::exception& error) {
    say("brio: {}\n", printable(error.what()));
    return 1;
  }
  return finish_output();
}

}  // namespace brio::app
