/// One function per command: adds it to the program and runs it when it is chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <stdexcept>

namespace brio::app {

/// The scene was sound but its simulation did not come to its end: exit code 2.
struct SimulationFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What was measured is not what was claimed: exit code 3.
struct ClaimFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void add_memory(CLI::App& program);  ///< --memory, before any command

void add_bench(CLI::App& program);    ///< brio bench
void add_compare(CLI::App& program);  ///< brio compare
void add_export(CLI::App& program);   ///< brio export
void add_list(CLI::App& program);     ///< brio list
void add_mesh(CLI::App& program);     ///< brio mesh
void add_orders(CLI::App& program);   ///< brio orders
void add_plot(CLI::App& program);     ///< brio plot
void add_report(CLI::App& program);   ///< brio report
void add_run(CLI::App& program);      ///< brio run
void add_scene(CLI::App& program);    ///< brio scene
void add_torture(CLI::App& program);  ///< brio torture

/// Becomes brio-bench with the arguments that follow `brio`; throws when it is not there.
[[noreturn]] void hand_over_to_bench(char** arguments);

}  // namespace brio::app
