/// One function per command: adds it to the program and runs it when it is chosen.
#pragma once

#include "program/program.h"

namespace brio::app {

void add_compare(CLI::App& program);  ///< brio compare
void add_export(CLI::App& program);   ///< brio export
void add_list(CLI::App& program);     ///< brio list
void add_mesh(CLI::App& program);     ///< brio mesh
void add_plot(CLI::App& program);     ///< brio plot
void add_report(CLI::App& program);   ///< brio report
void add_run(CLI::App& program);      ///< brio run
void add_scene(CLI::App& program);    ///< brio scene

/// Commands that programs beside this one carry out: brio bench, brio orders, brio torture.
void add_other_programs(CLI::App& program);

/// Becomes the program whose command the arguments name, if it is one of another's; throws when it is not there.
void hand_over(int argc, char** argv);

}  // namespace brio::app
