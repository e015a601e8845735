/// Runs: scenes simulated into a folder, as `brio run` does, and animation files of what is there.
///
///   Scene scene = load_scene("scenes/hello.toml");
///   const RunSummary summary = run(scene, {.folder = "out/hello"});
///   if (summary.status() != std::string("ok")) …
#pragma once

#include <atomic>

#include "brio/scene.h"

namespace brio {

/// What a run tells while it goes on, on the thread that runs it. Override what you want to know.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  /// Frames up to `first` are there already.
  virtual void started(const Scene& /*scene*/, const std::filesystem::path& /*folder*/, long /*first*/) {}
  /// Recorded, with the energy in play then [J]: kinetic, elastic and the change of potential since the start.
  virtual void frame(long /*frame*/, const LedgerRow& /*row*/, double /*in_play*/) {}
  virtual void warning(const std::string& /*text*/) {}
  /// All frames are there; animation files follow.
  virtual void recorded() {}
  /// All files are there.
  virtual void finished(const RunSummary& /*summary*/, const std::filesystem::path& /*folder*/) {}
};

struct RunOptions {
  std::filesystem::path folder;  ///< for the results, made where it is missing; files of others in it stay as they are
  bool resume = false;           ///< goes on from the folder's checkpoint; starts where there is nothing to go on with
  bool force = false;            ///< replaces an earlier run in the folder
  bool report = true;            ///< report.html, whose libraries are fetched at first use
  const std::atomic<bool>* stop = nullptr;  ///< ends the run once it is true; any thread or signal handler may set it
};

/// Frames, ledger, checkpoints, log, summary, report and the scene's animation files. The summary tells whether the run
/// came to its end, failed, exploded or was interrupted; in all cases what is in the folder is whole, and an
/// interrupted or killed run goes on bit for bit with `resume`. Throws InputError, and changes nothing, when files of
/// others are in the way, another process runs in the folder, or an earlier run is there that is neither resumed nor
/// replaced.
RunSummary run(Scene& scene, const RunOptions& options, RunObserver* observer = nullptr);

/// The scene of a run that is on the disk. Throws InputError when the folder holds no run, or its frames are of another
/// scene than the one beside them.
Scene load_recorded_scene(const std::filesystem::path& folder);

/// Makes animation files of the frames of a run that has ended, in place of those that brio made before; of the scene's
/// own formats where none are named. Returns those that were made.
std::vector<std::string> export_run(const std::filesystem::path& folder, const std::vector<std::string>& formats = {},
                                    RunObserver* observer = nullptr);

/// Writes report.html of a run that has ended again.
void report_run(const std::filesystem::path& folder);

}  // namespace brio
