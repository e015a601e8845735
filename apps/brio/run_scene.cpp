#include "run_scene.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/memory.h"
#include "core/platform.h"
#include "core/printable.h"
#include "core/safe_file.h"
#include "exporting.h"
#include "interrupt.h"
#include "model/energy_in_play.h"
#include "motion_watch.h"
#include "record/recorder.h"
#include "report/run_report.h"
#include "run_folder.h"
#include "run_log.h"
#include "say.h"

namespace brio::app {
namespace {

class Run {
 public:
  Run(Scene& scene, const RunPlan& plan, RunEvents& events)
      : scene_(scene),
        simulation_(scene.simulation),
        held_(plan.folder),
        folder_(plan.folder.path()),
        resume_command_(plan.resume_command),
        events_(events),
        watch_motion_(scene) {
    summary_.title = scene.title;
    summary_.integrator = simulation_.method().name;
    summary_.h = simulation_.h();
    summary_.load_seconds = plan.load_seconds;
    info_ = {.vertices = simulation_.model().vertices(),
             .frames_per_second = 1 / (simulation_.h() * scene.steps_per_frame),
             .digest = scene.digest};
    exports_ = {.folder = &held_, .formats = scene.formats, .title = scene.title, .surfaces = &scene.scenery.surfaces};
    outputs_ = run_outputs();
    outputs_.add(export_outputs(exports_, scene.frames + 1L));
    if (plan.resume && held_.holds(RunFiles::checkpoint)) {
      go_on();
    } else {
      if (plan.resume) refuse_to_lose_frames();
      start();
    }
  }

  RunSummary run() {
    events_.started(scene_, folder_, frame_);
    announce(exports_, simulation_.model(), scene_.frames + 1L, static_cast<double>(info_.bytes(scene_.frames + 1L)),
             events_);
    log_->started(scene_.title, simulation_, scene_.frames);
    for (const std::string& text : scene_.warnings) tell(text);
    if (!moved_.empty()) tell(moved_);
    const Patience patience([this] { return give_up(); });
    while (frame_ < scene_.frames && summary_.message.empty() && !Interrupt::requested()) advance();
    summary_.interrupted = frame_ < scene_.frames;
    LedgerRow row = simulation_.ledger();
    row.failed = false;
    if (!beyond_range_) recorder_->checkpoint(simulation_.state(), row);
    events_.recorded();
    finish();
    return summary_;
  }

 private:
  /// The first frame is followed by a checkpoint at once: a killed run without one had no more than that.
  void refuse_to_lose_frames() const {
    std::error_code none;
    const std::uintmax_t size = std::filesystem::file_size(folder_ / RunFiles::frames, none);
    if (none || size <= info_.bytes(1) || !held_.holds(RunFiles::frames)) return;
    throw InputError({.file = (folder_ / RunFiles::checkpoint).string(),
                      .problem = "is missing: the run cannot be resumed without it",
                      .advice = fmt::format("put it back; or start the run again with --force, which removes the {} "
                                            "of the frames that are there, or in another folder",
                                            size_text(static_cast<double>(size)))});
  }

  void start() {
    try {
      check_range(simulation_.state().x, simulation_.state().v);
    } catch (const std::range_error& error) {
      throw InputError({.file = scene_.inputs.front().string(),
                        .problem = error.what(),
                        .advice = "choose slower motion, or bring the scene nearer to the origin"});
    }
    held_.check(outputs_, scene_.inputs);
    held_.clear(scene_.inputs, comparison_files());
    held_.claim(outputs_);
    write_safely(folder_ / RunFiles::scene, scene_.resolved);
    log_.emplace(folder_ / RunFiles::log, RunLog::Mode::anew);
    for (const std::string& text : scene_.warnings) summary_.warn(text, text);
    recorder_.emplace(folder_, info_, summary_);
    recorder_->add(simulation_.state(), simulation_.ledger());
  }

  void go_on() {
    const std::filesystem::path path = folder_ / RunFiles::checkpoint;
    const Checkpoint from = read_checkpoint(path, scene_.digest);
    if (from.frame > scene_.frames)
      throw InputError({.file = path.string(),
                        .problem = fmt::format("is at frame {}, the scene ends with {}", from.frame, scene_.frames),
                        .advice = "ask for more frames"});
    take_state(from, path);
    // The folder's own scene may be the one to go on with: it stays as it is.
    std::vector<std::filesystem::path> inputs = scene_.inputs;
    std::error_code none;
    const bool own_scene = std::filesystem::equivalent(inputs.front(), folder_ / RunFiles::scene, none);
    if (own_scene) inputs.erase(inputs.begin());
    held_.claim(outputs_, inputs);
    recorder_.emplace(folder_, info_, summary_, from);
    held_.remove(RunFiles::summary);
    if (!own_scene) write_safely(folder_ / RunFiles::scene, scene_.resolved);
    log_.emplace(folder_ / RunFiles::log, RunLog::Mode::go_on);
    frame_ = from.frame;
    if (const std::string moved = differences(from.platform, platform()); !moved.empty()) {
      moved_ = fmt::format(
          "from frame {} on the run is on another platform ({}): its last digits may differ from those of a run that "
          "was not interrupted",
          frame_ + 1, moved);
      summary_.warn(moved_, moved_);
    }
    earlier_seconds_ = from.run_seconds;
    earlier_solver_ms_ = from.solver_ms;
  }

  void take_state(const Checkpoint& from, const std::filesystem::path& path) {
    const std::string anew = "start the run again with --force";
    if (from.state.step != from.frame * scene_.steps_per_frame ||
        from.state.time != simulation_.clock().time_of(from.state.step))
      throw InputError({.file = path.string(),
                        .problem = fmt::format("is at frame {}, step {} and {} s, which do not belong together",
                                               from.frame, from.state.step, from.state.time),
                        .advice = anew});
    Snapshot moment = simulation_.snapshot();  // its clock and its energy at the start are those of the scene
    moment.state = from.state;
    moment.ledger = from.ledger;
    try {
      simulation_.restore(moment);
    } catch (const InputError& error) {
      Complaint complaint = error.complaint();
      complaint.file = path.string();
      complaint.advice = anew;
      throw InputError(complaint);
    }
  }

  StepReport step() {
    files_.unlock();
    StepReport report = simulation_.step(scene_.steps_per_frame, {.stop = &Interrupt::flag()});
    files_.lock();
    return report;
  }

  void advance() {
    const StepReport report = step();
    if (report.status == StepReport::Status::canceled) return;
    if (!report.ok()) return fail(report.message);
    for (const Notice& notice : watch_motion_.look(simulation_, report)) warn(notice);
    set_times();
    try {
      recorder_->add(simulation_.state(), simulation_.ledger());
    } catch (const std::range_error& error) {
      beyond_range_ = true;
      return fail(fmt::format("{}; choose a smaller h than {} s", error.what(), simulation_.h()));
    } catch (const WriteError& error) {
      Complaint complaint = error.complaint();
      const long whole = recorder_->frames() - 1;
      complaint.advice += fmt::format(", then go on with --resume; {}frames 0 to {} are whole",
                                      whole <= frame_ ? fmt::format("frame {} is lost, ", frame_ + 1) : "", whole);
      log_->failed(complaint.text());
      throw WriteError(complaint);
    }
    ++frame_;
    events_.frame(frame_, simulation_.ledger(), energy_in_play(simulation_.ledger(), summary_.gathered().first));
    log_->finished_frame(frame_, simulation_.ledger());
  }

  /// Of the frame that is about to be recorded; told once, counted always.
  void warn(const Notice& notice) {
    const std::string text = fmt::format("frame {}: {}", frame_ + 1, notice.text);
    if (summary_.warn(notice.about, text, notice.severity)) tell(text);
  }

  void tell(const std::string& text) {
    events_.warning(text);
    log_->warning(text);
  }

  void fail(const std::string& message) {
    recorder_->add_failure(simulation_.ledger());
    summary_.message = fmt::format("frame {}: {}", frame_ + 1, message);
    log_->failed(summary_.message);
  }

  /// Of this process and of those before it that were interrupted.
  void set_times() {
    const SolveTimes& times = simulation_.times();
    summary_.solver_ms = {{"assembly", times.assembly},
                          {"factor", times.factor},
                          {"solve", times.solve},
                          {"search", times.search},
                          {"blend", times.blend}};
    for (auto& [phase, ms] : summary_.solver_ms)
      for (const auto& [earlier, spent] : earlier_solver_ms_)
        if (earlier == phase) ms += spent;
    summary_.linear_solvers = simulation_.linear_solvers();
  }

  /// On another thread, of a step that does not answer: the frames before it are on the disk.
  bool give_up() {
    const std::unique_lock lock(files_mutex_, std::try_to_lock);
    if (!lock) return false;
    summary_.interrupted = true;
    write_summary();
    log_->warning(fmt::format("interrupted in frame {}, which was given up", frame_ + 1));
    say("\nbrio: interrupted in frame {} of {}, which was given up; wrote {}; go on with\n  {}\n", frame_ + 1,
        scene_.frames, printable(folder_.string()), resume_command_);
    return true;
  }

  nlohmann::ordered_json write_summary() {
    summary_.run_seconds = earlier_seconds_ + watch_.seconds();
    summary_.total_seconds = summary_.load_seconds + summary_.run_seconds;
    auto json = summary_.json();
    write_safely(folder_ / RunFiles::summary,
                 json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
    return json;
  }

  /// What became of the energy, by the ledger as it was written.
  void judge() {
    const Account balance = account(read_ledger(folder_ / RunFiles::ledger));
    summary_.exploded = exploded_at(balance, {summary_.status(), summary_.message});
    const long steps = balance.frames * scene_.steps_per_frame;
    const std::string text = broken_promise(balance, promise_of(simulation_.method(), scene_.options.options, steps));
    if (!text.empty() && summary_.warn(text, text)) tell(text);
  }

  void finish() {
    judge();
    set_times();
    summary_.hash = simulation_.hash();
    const auto json = write_summary();
    write_pages();
    log_->finished(summary_.outcome());
    events_.finished(json, folder_);
  }

  /// Report and animation files, which can be made again from the record: nobody who wants to stop waits for them.
  void write_pages() {
    const Patience patience([this] { return leave_out_pages(); });
    const Cancellation cancellation(&Interrupt::flag(), std::numeric_limits<double>::infinity());
    const CancelScope scope(Interrupt::requested() ? nullptr : &cancellation);  // those of a stopped run are wanted
    files_.unlock();
    try {
      // Of a run that was stopped, what is quick comes first: a report may have to fetch its libraries.
      if (summary_.interrupted && animation_bytes() < quick_bytes) write_animation();
      write_run_report(folder_, scene_.scenery);
      if (!summary_.interrupted) write_animation();
    } catch (const Canceled&) {
      files_.lock();
      log_->warning(pages_left_out());
      throw Interrupted(pages_left_out());
    }
    files_.lock();
    if (summary_.interrupted && animation_bytes() >= quick_bytes)
      tell(fmt::format("interrupted: animation files of {} were left out; `brio export {}` makes them",
                       size_text(animation_bytes()), folder_.string()));
  }

  std::string pages_left_out() const {
    const std::string run = shell_word(folder_.string());
    std::string text = fmt::format(
        "interrupted while report and animation files were written; {} of {} frames are in {}: `brio report {}` and "
        "`brio export {}` make the rest",
        frame_, scene_.frames, printable(folder_.string()), run, run);
    if (summary_.interrupted) text += "; go on with\n  " + resume_command_;
    return text;
  }

  /// On another thread, as give_up.
  bool leave_out_pages() {
    const std::unique_lock lock(files_mutex_, std::try_to_lock);
    if (!lock) return false;
    log_->warning(pages_left_out());
    say_interrupted(pages_left_out());
    return true;
  }

  double animation_bytes() const {
    double sum = 0;
    for (const std::string& name : exports_.formats)
      sum += find_export_format(name).bytes(simulation_.model(), *exports_.surfaces, static_cast<double>(frame_ + 1));
    return sum;
  }

  void write_animation() {
    try {
      write_exports(exports_, simulation_.model());
    } catch (const WriteError& error) {
      Complaint complaint = error.complaint();
      complaint.advice += fmt::format("; all frames are in {}: `brio export {}` makes the rest",
                                      (folder_ / RunFiles::frames).string(), shell_word(folder_.string()));
      log_->failed(complaint.text());
      throw WriteError(complaint);
    }
  }

  Scene& scene_;
  Simulation& simulation_;
  static constexpr double quick_bytes = 3e7;  ///< of animation files that are written within a second

  HeldFolder& held_;
  std::filesystem::path folder_;
  std::string resume_command_;
  RunEvents& events_;
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
  double earlier_seconds_ = 0;
  std::vector<std::pair<std::string, double>> earlier_solver_ms_;
};

}  // namespace

RunSummary run_scene(Scene& scene, const RunPlan& plan, RunEvents& events) {
  const CancelScope whole(nullptr);  // steps and pages are canceled, what records them is not
  return Run(scene, plan, events).run();
}

}  // namespace brio::app
