/// One scene, many integrators: a page that tells them apart.
#pragma once

#include <nlohmann/json.hpp>

#include "report/account.h"
#include "report/chart.h"
#include "report/modes.h"
#include "report/playback.h"

namespace brio {

struct ComparedRun {
  std::string integrator;
  int order = 0;                      ///< as declared
  LedgerTable ledger{};               ///< empty when the integrator refused the scene
  Ending ending{};                    ///< status "refused" then, or "skipped"
  nlohmann::ordered_json playback{};  ///< of playback_json
  Recording recording{};              ///< what it was made of
  Series fine{};                      ///< of energy_above, where modes were asked for

  bool ran() const { return ledger.rows() > 0; }
};

/// "came to the end", "exploded at frame 12", "stopped at frame 7: …", "interrupted after frame 3", "refused: …".
std::string outcome(const ComparedRun& run);

/// How far the surfaces of a run are from where another has them, at the frames that both show: root of the mean square
/// over all vertices [m].
Series apart(const Recording& run, const Recording& other);

/// Kinetic energy of each frame that none of the modes takes part in [J].
Series energy_above(const Modes& modes, const FrameCache& frames);

/// One object per run: integrator, order, status, outcome, frames, cost, drifts, the distance from the first,
/// and the energy above modes where they were asked for.
nlohmann::ordered_json comparison_json(const std::vector<ComparedRun>& runs);

/// The page. `scene` is the resolved scene. The reports of runs are linked to as INTEGRATOR/report.html beside it.
std::string comparison_html(const std::string& title, const std::string& scene, const std::vector<ComparedRun>& runs);

}  // namespace brio
