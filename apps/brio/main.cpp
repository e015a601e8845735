#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "commands.h"
#include "core/fields.h"

namespace {

/// The library that reads command lines only says that one is needed.
void check_command(const CLI::App& program, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (std::ranges::count(names, argv[1]) == 0) brio::refuse_name("command", argv[1], "no such command", names);
}

}  // namespace

/// Exit codes: 0 ok, 1 bad input, 2 the simulation failed, 3 an experiment's claim failed, 130 interrupted.
int main(int argc, char** argv) {
  CLI::App program{"brio animates deformable things: jelly, cloth, wires."};
  program.require_subcommand(1);
  brio::app::add_run(program);
  brio::app::add_scene(program);
  brio::app::add_compare(program);
  brio::app::add_report(program);
  brio::app::add_plot(program);
  brio::app::add_export(program);
  brio::app::add_list(program);
  brio::app::add_orders(program);
  brio::app::add_bench(program);
  brio::app::add_mesh(program);
  try {
    check_command(program, argc, argv);
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? 0 : 1;
  } catch (const brio::app::SimulationFailed& error) {
    fmt::print(stderr, "brio: {}\n", error.what());
    return 2;
  } catch (const brio::app::Interrupted& error) {
    fmt::print(stderr, "brio: {}\n", error.what());
    return 130;
  } catch (const brio::app::ClaimFailed& error) {
    fmt::print(stderr, "brio: {}\n", error.what());
    return 3;
  } catch (const std::exception& error) {
    fmt::print(stderr, "brio: {}\n", error.what());
    return 1;
  }
  return 0;
}
