/// The page that every report is: one HTML file that needs nothing else.
#pragma once

#include <nlohmann/json.hpp>

#include "report/chart.h"

namespace brio {

struct Page {
  std::string title{};
  std::string subtitle{};
  std::string verdict{};
  std::string mood = "good";  ///< of the verdict: "good", "warn" or "bad"
  std::vector<std::string> warnings{};
  std::string table{};  ///< HTML
  std::vector<Chart> charts{};
  bool plain_charts = false;  ///< as pictures: curves of any shape, which need no library
  nlohmann::ordered_json playbacks = nlohmann::ordered_json::array();  ///< of playback_json; empty: no animation
  std::string playback_note{};                                         ///< which frames are shown
  std::vector<std::pair<std::string, double>> phases{};                ///< of the solver and their time [ms]
  std::string scene{};                                                 ///< the resolved scene
  std::string facts{};                                                 ///< run.json
};

/// Everything in the page but `table` is text and is escaped. The libraries are fetched if the cache lacks them; what
/// cannot be had is said in the page, and charts are then drawn without them.
std::string to_html(const Page& page);

/// The template with every {{name}} replaced by its value; values are not looked into. An unknown name is a
/// std::logic_error.
std::string filled(std::string_view text, const std::vector<std::pair<std::string_view, std::string>>& values);

}  // namespace brio
