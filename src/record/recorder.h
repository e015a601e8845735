/// All that a run leaves behind while it goes on: frames.bin, ledger.csv and checkpoint.brio in one folder, each of
/// them readable at any moment.
#pragma once

#include "core/timer.h"
#include "record/checkpoint.h"
#include "record/frame_cache.h"
#include "record/ledger_csv.h"

namespace brio {

class Recorder {
 public:
  /// A new recording. `summary` gathers what is added.
  Recorder(const std::filesystem::path& folder, const FrameCacheInfo& info, RunSummary& summary);
  /// Goes on after a checkpoint of the same folder; what was recorded after it is cut off.
  Recorder(const std::filesystem::path& folder, const FrameCacheInfo& info, RunSummary& summary,
           const Checkpoint& from);

  /// A finished frame; the first one is the initial state. Writes a checkpoint when that is cheap or some seconds have
  /// passed since the last. When the disk refuses, WriteError names the file, and the frames before stay whole.
  void add(const State& state, const LedgerRow& row);
  /// The frame after this state failed.
  void add_failure(LedgerRow row);
  void checkpoint(const State& state, const LedgerRow& row);

  long frames() const { return frames_.frames(); }  ///< recorded, the initial one included

 private:
  bool checkpoint_is_due() const;

  std::filesystem::path folder_;
  std::uint64_t digest_;
  RunSummary& summary_;
  double earlier_seconds_ = 0;  ///< of the run before it was resumed
  FrameCacheWriter frames_;
  LedgerCsv ledger_;
  Stopwatch watch_;
  double checkpoint_cost_ = 0;  ///< of the last one [s]
  double checkpoint_at_ = 0;    ///< on the watch [s]
  long checkpoint_after_ = -1;  ///< frames_ at the last one
};

}  // namespace brio
