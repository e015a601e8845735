/// What the registries know of integrators and solvers: as JSON, as a table for the terminal, and as the page
/// docs/integrators.md.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace brio::app {

nlohmann::ordered_json integrators_json();
nlohmann::ordered_json solvers_json();
std::string integrators_table();
std::string integrators_markdown();

}  // namespace brio::app
