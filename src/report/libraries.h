/// What the page needs of others' JavaScript, out of npm packages of fixed versions in the user's cache.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace brio {

/// Packed sources for the page, or why they cannot be had.
struct PageLibrary {
  std::string problem{};  ///< empty when the sources are there
  std::string first{};    ///< packed
  std::string second{};   ///< packed
};
PageLibrary chart_library();  ///< uPlot: script and style sheet
PageLibrary scene_library();  ///< three.js: the module and its OrbitControls

}  // namespace brio
