/// What a run makes of its record: the report and animation files.
#include <fmt/format.h>

#include <limits>

#include "core/memory.h"
#include "core/printable.h"
#include "core/safe_file.h"
#include "report/run_report.h"
#include "run/run.h"

namespace brio {
namespace {

constexpr double quick_bytes = 3e7;  // of animation files that are written within a second

}  // namespace

void Run::write_pages() {
  const Cancellation cancellation(plan_.stop, std::numeric_limits<double>::infinity());
  const CancelScope scope(stopped() ? nullptr : &cancellation);  // those of a stopped run are wanted
  in_pages_ = true;
  files_.unlock();
  try {
    // Of a run that was stopped, what is quick comes first: a report may have to fetch its libraries.
    if (summary_.interrupted && animation_bytes() < quick_bytes) write_animation();
    if (plan_.report) write_run_report(folder_, scene_.scenery);
    if (!summary_.interrupted) write_animation();
  } catch (const Canceled&) {
    files_.lock();
    left_out_ = pages_left_out();
    return log_->warning(left_out_);
  }
  files_.lock();
  if (summary_.interrupted && animation_bytes() >= quick_bytes)
    tell(fmt::format("interrupted: animation files of {} were left out; `brio export {}` makes them",
                     size_text(animation_bytes()), folder_.string()));
  log_->finished(summary_.outcome());
  observer_.finished(summary_, folder_);
}

std::string Run::pages_left_out() const {
  const std::string run = shell_word(folder_.string());
  std::string text = fmt::format(
      "interrupted while report and animation files were written; {} of {} frames are in {}: `brio report {}` and "
      "`brio export {}` make the rest",
      frame_, scene_.frames, printable(folder_.string()), run, run);
  if (summary_.interrupted) text += "; go on with\n  " + plan_.resume_command;
  return text;
}

double Run::animation_bytes() const {
  double sum = 0;
  for (const std::string& name : exports_.formats)
    sum += find_export_format(name).bytes(simulation_.model(), *exports_.surfaces, static_cast<double>(frame_ + 1));
  return sum;
}

void Run::write_animation() {
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

}  // namespace brio
