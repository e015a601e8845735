#include "record/recorder.h"

namespace brio {

Recorder::Recorder(const std::filesystem::path& folder, const FrameCacheInfo& info, RunSummary& summary)
    : folder_(folder),
      digest_(info.digest),
      summary_(summary),
      frames_(folder / RunFiles::frames, info),
      ledger_(folder / RunFiles::ledger) {}

Recorder::Recorder(const std::filesystem::path& folder, const FrameCacheInfo& info, RunSummary& summary,
                   const Checkpoint& from)
    : folder_(folder),
      digest_(info.digest),
      summary_(summary),
      earlier_seconds_(from.run_seconds),
      frames_(folder / RunFiles::frames, info, from.frame + 1),
      ledger_(folder / RunFiles::ledger, from.frame + 1),
      checkpoint_after_(from.frame + 1) {
  summary_.go_on_from(from.gathered);
  summary_.solver_ms = from.solver_ms;
}

void Recorder::add(const State& state, const LedgerRow& row) {
  frames_.add(state.x, state.v);
  ledger_.add(row);
  summary_.add(row);
  if (checkpoint_is_due()) checkpoint(state, row);
}

void Recorder::add_failure(LedgerRow row) {
  row.failed = true;
  ledger_.add(row);
}

bool Recorder::checkpoint_is_due() const {
  constexpr double longest_wait = 3;         // s of work that a kill may cost
  constexpr double fraction_of_time = 0.02;  // that checkpoints may take otherwise
  const double since = watch_.seconds() - checkpoint_at_;
  return checkpoint_after_ < 0 || since > longest_wait || checkpoint_cost_ < fraction_of_time * since;
}

void Recorder::checkpoint(const State& state, const LedgerRow& row) {
  if (checkpoint_after_ == frames_.frames()) return;
  const double start = watch_.seconds();
  // What the checkpoint counts on must be on the disk before it is.
  frames_.sync();
  ledger_.sync();
  write_checkpoint(folder_ / RunFiles::checkpoint, {.digest = digest_,
                                                    .platform = platform(),
                                                    .frame = frames_.frames() - 1,
                                                    .state = state,
                                                    .ledger = row,
                                                    .gathered = summary_.gathered(),
                                                    .run_seconds = earlier_seconds_ + start,
                                                    .solver_ms = summary_.solver_ms});
  checkpoint_after_ = frames_.frames();
  checkpoint_at_ = watch_.seconds();
  checkpoint_cost_ = checkpoint_at_ - start;
}

}  // namespace brio
