/// Long runs of experiments, put down once a minute and where they end: a row that is asked for again after an
/// interruption goes on from there, bit for bit.
#pragma once

#include <chrono>
#include <filesystem>

#include "experiments/follow.h"
#include "report/playback.h"

namespace brio {

class PutDown {
 public:
  /// `folder`: where; empty: nowhere. Runs of the same program go on from each other where `run` is the same text,
  /// which tells all that they depend on.
  PutDown(const std::filesystem::path& folder, const std::string& run);

  /// Takes up what an earlier process put down: the frame at which the simulation is then, which the track has as its
  /// last row; -1 where there is nothing, or nothing that fits.
  long take_up(Simulation& simulation, Track& track, Recording* motion);
  /// To be called after every frame; writes when it is time to.
  void frame(const Simulation& simulation, Track& track, Recording* motion);
  /// To be called at the end: what took longer than the time between two writings is kept for the rest of the row.
  void end(const Simulation& simulation, Track& track, Recording* motion);

  static void clear(const std::filesystem::path& folder);  ///< the row is done: nothing is left to go on with
  static void set_interval(double seconds);                ///< between two writings; 60 unless tests set it

 private:
  void write(const Simulation& simulation, Track& track, Recording* motion);

  std::filesystem::path file_;  ///< empty: nowhere
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  bool written_ = false;  ///< by this process or the one before it
};

}  // namespace brio
