/// The score sheet in the forms that `brio bench score` gives.
#pragma once

#include <nlohmann/json.hpp>

#include "experiments/explicit_score.h"

namespace brio::app {

std::string score_text(const ScoreSheet& sheet);      ///< for a terminal
std::string score_markdown(const ScoreSheet& sheet);  ///< a section of docs/performance.md
nlohmann::json score_json(const ScoreSheet& sheet);   ///< an array of rows

/// Horizontal bars, the best first; colors follow the reader's light or dark theme.
std::string score_chart(const ScoreSheet& sheet);

}  // namespace brio::app
