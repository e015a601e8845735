/// One function per command: adds it to the program and runs it when it is chosen.
#pragma once

#include <CLI/CLI.hpp>

namespace brio::app {

void add_bench(CLI::App& program);  ///< brio bench
void add_mesh(CLI::App& program);   ///< brio mesh

}  // namespace brio::app
