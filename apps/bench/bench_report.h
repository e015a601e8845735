/// Rows of benchmarks in the forms that `brio bench` prints.
#pragma once

#include <nlohmann/json.hpp>

#include "bench/suite.h"

namespace brio::app {

std::string bench_line(const bench::Row& row);  ///< for a terminal
nlohmann::json bench_json(const std::string& name, const bench::Row& row);

/// docs/performance.md: what was measured, how, and the tables. `command` is what was typed.
std::string bench_page_head(const std::string& command);
std::string bench_section_head(const bench::Case& chosen);
std::string bench_section_row(const bench::Row& row);

}  // namespace brio::app
