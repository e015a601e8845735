#pragma once

#include <CLI/CLI.hpp>

namespace brio::app {

void add_share(CLI::App& program);

}  // namespace brio::app
