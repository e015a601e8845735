/// Runs a scene into a folder: frames, ledger, checkpoints, animation files, summary.
#pragma once

#include "record/held_folder.h"
#include "record/run_summary.h"
#include "run_events.h"
#include "scene/scene.h"

namespace brio::app {

struct RunPlan {
  HeldFolder& folder;
  bool resume = false;           ///< goes on from the folder's checkpoint; starts where there is nothing to go on with
  double load_seconds = 0;       ///< spent on reading the scene
  std::string resume_command{};  ///< by which the user goes on, should a run have to be given up
};

/// Cancels the frame at hand when the caller's Interrupt (interrupt.h) is requested. The summary tells whether the run
/// came to its end, failed or was interrupted; in all three cases what is in the folder is whole. An earlier run in the
/// folder is replaced, nothing else. Throws InputError, and changes nothing, when files of others are in the way;
/// WriteError, naming what was lost, when the disk refuses.
RunSummary run_scene(Scene& scene, const RunPlan& plan, RunEvents& events);

}  // namespace brio::app
