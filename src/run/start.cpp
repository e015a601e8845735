/// How a run begins: anew, or where an earlier one left off.
#include <fmt/format.h>

#include "core/memory.h"
#include "core/platform.h"
#include "core/safe_file.h"
#include "run/run.h"
#include "run/run_folder.h"

namespace brio {

/// The first frame is followed by a checkpoint at once: a killed run without one had no more than that.
void Run::refuse_to_lose_frames() const {
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(folder_ / RunFiles::frames, none);
  if (none || size <= info_.bytes(1) || !held_.holds(RunFiles::frames)) return;
  throw InputError({.file = (folder_ / RunFiles::checkpoint).string(),
                    .problem = "is missing: the run cannot be resumed without it",
                    .advice = fmt::format("put it back; or start the run again with --force, which removes the {} "
                                          "of the frames that are there, or in another folder",
                                          size_text(static_cast<double>(size)))});
}

void Run::start() {
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

void Run::go_on() {
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

void Run::take_state(const Checkpoint& from, const std::filesystem::path& path) {
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

}  // namespace brio
