/// What `brio mesh` says about a mesh.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "brio/mesh.h"

namespace brio::app {

/// "425 vertices, 1280 tets"
std::string counts_text(const MeshReport& report);

/// Counts, box, volume, quality as bars, problems; for people.
std::string report_text(const MeshReport& report);

/// The same with every index, for programs.
nlohmann::ordered_json report_json(const MeshReport& report);

}  // namespace brio::app
