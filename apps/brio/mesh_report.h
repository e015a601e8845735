/// What `brio mesh` says about a mesh.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "mesh/quality.h"

namespace brio::app {

/// "425 vertices, 1280 tets"
std::string counts_text(const MeshReport& report);

/// What is wrong, and what will cost more than it should.
std::vector<std::string> problems_of(const MeshReport& report, const Slivers& slivers);

/// Counts, box, volume, quality as bars, problems; for people.
std::string report_text(const MeshReport& report, const Slivers& slivers);

/// The same with every index, for programs.
nlohmann::ordered_json report_json(const MeshReport& report, const Slivers& slivers);

}  // namespace brio::app
