/// Long runs of experiments, put down once a minute: asked for again after an interruption they go on from there, bit
/// for bit.
#pragma once

#include <chrono>
#include <filesystem>

#include "experiments/follow.h"
#include "report/playback.h"

namespace brio {

class PutDown {
 public:
  /// `folder`: where; empty: nowhere. Runs with the same start, method, step and plan go on from each other.
  PutDown(const std::filesystem::path& folder, const Simulation& simulation, const Plan& plan);

  /// Takes up what an earlier process put down: the frame at which the simulation is then, which the track has as its
  /// last row; -1 where there is nothing, or nothing that fits.
  long take_up(Simulation& simulation, Track& track, Recording* motion) const;
  /// To be called after every frame; writes when it is time to.
  void frame(const Simulation& simulation, Track& track, Recording* motion);
  void done() const;  ///< nothing is left to go on with

  static void set_interval(double seconds);  ///< between two writings; 60 unless tests set it

 private:
  std::filesystem::path file_;  ///< empty: nowhere
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace brio
