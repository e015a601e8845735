/// Runs a scene into a folder: frames, ledger, checkpoints, animation files, summary.
#pragma once

#include "record/run_summary.h"
#include "run_events.h"
#include "scene/scene.h"

namespace brio::app {

struct RunPlan {
  std::filesystem::path folder;
  bool resume = false;      ///< goes on from the folder's checkpoint, where it has one
  double load_seconds = 0;  ///< spent on reading the scene
};

/// Ends after the frame at hand when the caller's Interrupt (interrupt.h) is requested. The summary tells whether the
/// run came to its end, failed or was interrupted; in all three cases what is in the folder is whole. Throws
/// WriteError, naming what was lost, when the disk refuses.
RunSummary run_scene(Scene& scene, const RunPlan& plan, RunEvents& events);

}  // namespace brio::app
