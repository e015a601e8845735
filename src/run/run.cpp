#include "run/run.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/printable.h"
#include "core/safe_file.h"
#include "model/energy_in_play.h"
#include "record/run_summary.h"
#include "report/account.h"
#include "run/run_folder.h"

namespace brio {

Run::Run(Scene& scene, const RunPlan& plan, RunObserver& observer)
    : scene_(scene),
      simulation_(scene.simulation),
      plan_(plan),
      held_(plan.folder),
      folder_(plan.folder.path()),
      observer_(observer),
      watch_motion_(scene) {
  summary_.title = scene.title;
  summary_.integrator = simulation_.method().name;
  summary_.h = simulation_.h();
  summary_.load_seconds = plan.load_seconds;
  rounding_ = rounding_of_energy(simulation_.model());
  info_ = {.vertices = simulation_.model().vertices(),
           .frames_per_second = scene.frames_per_second(),
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

void Run::simulate() {
  observer_.started(scene_, folder_, frame_);
  announce(exports_, simulation_.model(), scene_.frames + 1L, static_cast<double>(info_.bytes(scene_.frames + 1L)),
           observer_);
  log_->started(scene_.title, simulation_, scene_.frames);
  for (const std::string& text : scene_.warnings) tell(text);
  if (!moved_.empty()) tell(moved_);
  while (frame_ < scene_.frames && summary_.message.empty() && !stopped()) advance();
  summary_.interrupted = frame_ < scene_.frames;
  LedgerRow row = simulation_.ledger();
  row.failed = false;
  if (!beyond_range_) recorder_->checkpoint(simulation_.state(), row);
  observer_.recorded();
  judge();
  set_times();
  summary_.hash = simulation_.hash();
  write_summary();
}

StepReport Run::step() {
  files_.unlock();
  StepReport report = simulation_.step(scene_.steps_per_frame, {.stop = plan_.stop});
  files_.lock();
  return report;
}

void Run::advance() {
  const StepReport report = step();
  if (report.status == StepReport::Status::canceled) return;
  if (!report.ok()) return fail(report.message);
  for (const Notice& notice : watch_motion_.look(simulation_, report)) warn(notice);
  set_times();
  summary_.add_energy_error(report.energy_error);
  summary_.add_contact_loss(report.contact_loss);
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
  observer_.frame(frame_, simulation_.ledger(), energy_in_play(simulation_.ledger(), summary_.gathered().first));
  log_->finished_frame(frame_, simulation_.ledger());
}

/// Of the frame that is about to be recorded; told once, counted always.
void Run::warn(const Notice& notice) {
  const std::string text = fmt::format("frame {}: {}", frame_ + 1, notice.text);
  if (summary_.warn(notice.about, text, notice.severity)) tell(text);
}

void Run::tell(const std::string& text) {
  observer_.warning(text);
  log_->warning(text);
}

void Run::fail(const std::string& message) {
  recorder_->add_failure(simulation_.ledger());
  summary_.message = fmt::format("frame {}: {}", frame_ + 1, message);
  log_->failed(summary_.message);
}

/// Of this process and of those before it that were interrupted.
void Run::set_times() {
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

/// What became of the energy, by the ledger as it was written.
void Run::judge() {
  const Account balance = account(read_ledger(folder_ / RunFiles::ledger));
  summary_.exploded = exploded_at(balance, {summary_.status(), summary_.message, rounding_});
  if (balance.worst * balance.in_play <= rounding_) return;
  const long steps = balance.frames * scene_.steps_per_frame;
  const std::string text = broken_promise(balance, promise_of(simulation_.method(), scene_.options.options, steps));
  if (!text.empty() && summary_.warn(text, text)) tell(text);
}

void Run::write_summary() {
  summary_.run_seconds = earlier_seconds_ + watch_.seconds();
  summary_.total_seconds = summary_.load_seconds + summary_.run_seconds;
  nlohmann::ordered_json facts = to_json(summary_);
  facts["energy"]["rounding"] = rounding_;
  write_safely(folder_ / RunFiles::summary,
               facts.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

std::optional<std::string> Run::give_up() {
  const std::unique_lock lock(files_mutex_, std::try_to_lock);
  if (!lock) return {};
  if (in_pages_) {
    log_->warning(pages_left_out());
    return pages_left_out();
  }
  summary_.interrupted = true;  // the frames before the one at hand are on the disk
  write_summary();
  log_->warning(fmt::format("interrupted in frame {}, which was given up", frame_ + 1));
  return fmt::format("interrupted in frame {} of {}, which was given up; wrote {}; go on with\n  {}", frame_ + 1,
                     scene_.frames, printable(folder_.string()), plan_.resume_command);
}

RunSummary run(Scene& scene, const RunOptions& options, RunObserver* observer) {
  RunObserver nobody;
  RunObserver& told = observer != nullptr ? *observer : nobody;
  const auto held = hold_run_folder(options.folder, {.scene = {}, .force = options.force, .resume = options.resume});
  const std::string again =
      fmt::format("brio run {} -o {} --resume", shell_word((options.folder / RunFiles::scene).string()),
                  shell_word(options.folder.string()));
  Run work(scene,
           {.folder = *held,
            .resume = options.resume,
            .report = options.report,
            .stop = options.stop,
            .resume_command = again},
           told);
  work.simulate();
  work.write_pages();
  if (!work.left_out().empty()) told.warning(work.left_out());
  return work.summary();
}

}  // namespace brio
