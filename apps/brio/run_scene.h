/// Runs a scene into a folder, as long as the user lets it.
#pragma once

#include "run/run.h"

namespace brio::app {

/// The plan's `stop` is the wish to stop of the caller's Interrupt (program/interrupt.h); a run that does not answer it
/// is given up. The summary tells whether the run came to its end, failed or was interrupted.
RunSummary run_scene(Scene& scene, RunPlan plan, RunObserver& observer);

}  // namespace brio::app
