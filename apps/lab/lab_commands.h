/// One function per command: adds it to the program and runs it when it is chosen.
#pragma once

#include "program/program.h"

namespace brio::app {

void add_orders(CLI::App& program);     ///< brio orders
void add_reproduce(CLI::App& program);  ///< brio reproduce
void add_torture(CLI::App& program);    ///< brio torture

}  // namespace brio::app
