/// A scene on its way into a folder: frames, ledger, checkpoints, animation files, summary.
#pragma once

#include <mutex>

#include "brio/run.h"
#include "core/cancellation.h"
#include "core/timer.h"
#include "record/checkpoint.h"
#include "record/recorder.h"
#include "run/exporting.h"
#include "run/motion_watch.h"
#include "run/run_log.h"

namespace brio {

struct RunPlan {
  HeldFolder& folder;
  bool resume = false;  ///< goes on from the folder's checkpoint; starts where there is nothing to go on with
  bool report = true;
  const std::atomic<bool>* stop = nullptr;
  double load_seconds = 0;       ///< spent on reading the scene
  std::string resume_command{};  ///< by which the user goes on, should a run have to be given up
};

/// An earlier run in the folder is replaced, nothing else. Throws InputError, and changes nothing, when files of others
/// are in the way; WriteError, naming what was lost, when the disk refuses.
class Run {
 public:
  Run(Scene& scene, const RunPlan& plan, RunObserver& observer);

  /// All frames, or those until it fails or is stopped, and run.json. What is in the folder is whole then.
  void simulate();
  /// Report and animation files, which can be made again from the record: nobody who wants to stop waits for them.
  void write_pages();

  const RunSummary& summary() const { return summary_; }
  const std::string& left_out() const { return left_out_; }  ///< of the pages, since they were stopped; empty: nothing

  /// For another thread, when a stopped run does not answer: leaves what is on the disk whole as it is. Returns what to
  /// tell the user; nothing where it is no good moment. The process must end then, as the run goes on.
  std::optional<std::string> give_up();

 private:
  // How it begins (start.cpp).
  void refuse_to_lose_frames() const;
  void start();
  void go_on();
  void take_state(const Checkpoint& from, const std::filesystem::path& path);

  bool stopped() const { return plan_.stop != nullptr && plan_.stop->load(); }
  StepReport step();
  void advance();
  void warn(const Notice& notice);
  void tell(const std::string& text);
  void fail(const std::string& message);
  void set_times();
  void judge();
  void write_summary();

  // What follows the frames (pages.cpp).
  std::string pages_left_out() const;
  double animation_bytes() const;
  void write_animation();

  CancelScope whole_{nullptr};  ///< steps and pages are canceled, what records them is not
  Scene& scene_;
  Simulation& simulation_;
  RunPlan plan_;
  HeldFolder& held_;
  std::filesystem::path folder_;
  RunObserver& observer_;
  std::mutex files_mutex_;  ///< free within a step and while pages are written: then the run may be given up
  std::unique_lock<std::mutex> files_{files_mutex_};  ///< summary and files are in use
  MotionWatch watch_motion_;
  Stopwatch watch_;
  RunSummary summary_;
  FrameCacheInfo info_;
  ExportPlan exports_;
  Outputs outputs_;  ///< all files that the run writes
  std::optional<RunLog> log_;
  std::optional<Recorder> recorder_;
  long frame_ = 0;             ///< the last one that is recorded
  std::string moved_;          ///< what to say of a run that goes on elsewhere; empty: nothing
  bool beyond_range_ = false;  ///< the state is one that could not be recorded
  bool in_pages_ = false;      ///< all frames are recorded
  std::string left_out_;
  double earlier_seconds_ = 0;
  double rounding_ = 0;  ///< what rounding alone may make of the energy [J]
  std::vector<std::pair<std::string, double>> earlier_solver_ms_;
};

}  // namespace brio
