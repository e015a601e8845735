#include "run_scene.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "brio/contact.h"
#include "exporting.h"
#include "interrupt.h"
#include "record/recorder.h"
#include "record/safe_file.h"
#include "report/run_report.h"
#include "run_folder.h"
#include "run_log.h"

namespace brio::app {
namespace {

class Run {
 public:
  Run(Scene& scene, const RunPlan& plan, RunEvents& events)
      : scene_(scene), simulation_(scene.simulation), folder_(plan.folder), events_(events) {
    summary_.title = scene.title;
    summary_.integrator = simulation_.method().name;
    summary_.h = simulation_.h();
    summary_.load_seconds = plan.load_seconds;
    info_ = {.vertices = simulation_.model().vertices(),
             .frames_per_second = 1 / (simulation_.h() * scene.steps_per_frame),
             .digest = scene.digest};
    exports_ = {.folder = folder_, .formats = scene.formats, .title = scene.title, .surfaces = &scene.scenery.surfaces};
    if (plan.resume && std::filesystem::exists(folder_ / RunFiles::checkpoint)) {
      go_on();
    } else {
      start();
    }
  }

  RunSummary run() {
    events_.started(scene_, folder_, frame_);
    announce(exports_, simulation_.model(), scene_.frames + 1L, static_cast<double>(info_.bytes(scene_.frames + 1L)),
             events_);
    log_->started(scene_.title, simulation_, scene_.frames);
    for (const std::string& text : scene_.warnings) tell(text);
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
  void start() {
    clear_folder(folder_);
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
    simulation_.restore({from.state, from.ledger});
    recorder_.emplace(folder_, info_, summary_, from);
    std::filesystem::remove(folder_ / RunFiles::summary);
    write_safely(folder_ / RunFiles::scene, scene_.resolved);
    log_.emplace(folder_ / RunFiles::log, RunLog::Mode::go_on);
    frame_ = from.frame;
    earlier_seconds_ = from.run_seconds;
    earlier_solver_ms_ = from.solver_ms;
  }

  void advance() {
    const StepReport report = simulation_.step(scene_.steps_per_frame);
    if (!report.ok()) return fail(report.message);
    warn_of_solver(report);
    warn_of_depth();
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
    events_.frame(frame_, simulation_.ledger());
    log_->finished_frame(frame_, simulation_.ledger());
  }

  /// Of the frame that is about to be recorded; told once, counted always.
  void warn(const std::string& about, const std::string& what) {
    const std::string text = fmt::format("frame {}: {}", frame_ + 1, what);
    if (summary_.warn(about, text)) tell(text);
  }

  void tell(const std::string& text) {
    events_.warning(text);
    log_->warning(text);
  }

  void warn_of_solver(const StepReport& report) {
    if (report.halvings > 0)
      warn("halved steps", fmt::format("the solver did not converge in steps of {} s: they were halved until it did; "
                                       "more time.substeps would spare the failed attempts",
                                       simulation_.h()));
    if (report.unconverged)
      warn("unconverged steps",
           fmt::format("the solver stopped short of its tolerance, at a residual of {:.1e} of the forces, and that was "
                       "accepted; raise solver.iterations, or shorten h",
                       report.residual));
  }

  void warn_of_depth() {
    constexpr double much = 0.05;  // of a body's size
    const Penetration deepest = deepest_penetration(simulation_.model(), simulation_.state());
    if (deepest.fraction <= much) return;
    warn("penetration of " + deepest.collider,
         fmt::format("{} is {:.2g} m inside {}, {:.0f} % of its size; raise the collider's stiffness, or shorten h",
                     simulation_.model().bodies()[static_cast<std::size_t>(deepest.body)].name, deepest.depth,
                     deepest.collider, 100 * deepest.fraction));
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

  void finish() {
    set_times();
    summary_.hash = simulation_.hash();
    summary_.run_seconds = earlier_seconds_ + watch_.seconds();
    summary_.total_seconds = summary_.load_seconds + summary_.run_seconds;
    const auto json = summary_.json();
    write_safely(folder_ / RunFiles::summary,
                 json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
    write_run_report(folder_, scene_.scenery);
    write_animation();
    log_->finished(summary_.outcome());
    events_.finished(json, folder_);
  }

  void write_animation() {
    try {
      write_exports(exports_, simulation_.model());
    } catch (const WriteError& error) {
      Complaint complaint = error.complaint();
      complaint.advice += fmt::format("; all frames are in {}: `brio export {}` makes the rest",
                                      (folder_ / RunFiles::frames).string(), folder_.string());
      log_->failed(complaint.text());
      throw WriteError(complaint);
    }
  }

  Scene& scene_;
  Simulation& simulation_;
  std::filesystem::path folder_;
  RunEvents& events_;
  Stopwatch watch_;
  RunSummary summary_;
  FrameCacheInfo info_;
  ExportPlan exports_;
  std::optional<RunLog> log_;
  std::optional<Recorder> recorder_;
  long frame_ = 0;             ///< the last one that is recorded
  bool beyond_range_ = false;  ///< the state is one that could not be recorded
  double earlier_seconds_ = 0;
  std::vector<std::pair<std::string, double>> earlier_solver_ms_;
};

}  // namespace

RunSummary run_scene(Scene& scene, const RunPlan& plan, RunEvents& events) { return Run(scene, plan, events).run(); }

}  // namespace brio::app
