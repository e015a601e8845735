/// One scene, many integrators: a page that tells them apart.
#pragma once

#include <nlohmann/json.hpp>

#include "report/account.h"
#include "report/playback.h"

namespace brio {

struct ComparedRun {
  std::string integrator;
  int order = 0;                      ///< as declared
  LedgerTable ledger{};               ///< empty when the integrator refused the scene
  Ending ending{};                    ///< status "refused" then
  nlohmann::ordered_json playback{};  ///< of playback_json

  bool ran() const { return ledger.rows() > 0; }
};

/// "kept to the end", "exploded at frame 12", "stopped at frame 7: …", "refused: …".
std::string outcome(const ComparedRun& run);

/// One object per run: integrator, order, status, outcome, frames, cost and drifts.
nlohmann::ordered_json comparison_json(const std::vector<ComparedRun>& runs);

/// The page. `scene` is the resolved scene, `playback_note` says which frames are shown.
std::string comparison_html(const std::string& title, const std::string& scene, const std::string& playback_note,
                            const std::vector<ComparedRun>& runs);

}  // namespace brio
