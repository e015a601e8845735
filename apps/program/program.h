/// What brio, brio-bench and brio-lab have in common: how they are started, stopped, confined, and how they end.
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

void add_memory(CLI::App& program);  ///< --memory
/// What all commands have in common; to be called before they are added.
void set_up(CLI::App& program);

/// Reads the command line, does what it says and tells in words what went wrong. Returns the exit code: 0 ok, 1 bad
/// input, 2 the simulation failed or exploded, 3 a claim was not met, 130 interrupted.
int run_program(CLI::App& program, int argc, char** argv);

}  // namespace brio::app
