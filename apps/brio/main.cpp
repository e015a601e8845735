#include <fmt/format.h>

#include <cstdio>

#include "brio/core.h"
#include "commands.h"

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
