/// The score sheet of explicit integrators on a suture being tightened: a thread through two halves of a layer, with
/// contact and friction. [S2 section 6, table 1]
///
///   score = Δt / t = seconds simulated per second computed,
///
/// Δt being the largest time step with which a run does not fail and t the time that one step takes to compute. (S2's
/// numbers follow this formula, 0.0098 s / 8 ms = 1.225 for explicit Euler; its sentence that results are "quantized"
/// with explicit Euler as reference does not show in them. We give that ratio as a column of its own.) Order and
/// symplecticity are told beside it: among methods with similar scores S2 prefers symplectic ones.
///
/// A run fails when a step does (not finite, or surfaces passed through each other), or when energy drifts up by
/// more than is in play (StableRun). S2 states no criterion, nor how long it ran; methods that amplify oscillations at
/// any step, like explicit Euler, have a largest step only because runs end.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace brio {

struct Score {
  std::string integrator;
  double largest_step = 0;      ///< Δt [s]
  double seconds_per_step = 0;  ///< t [s]
  int evaluations = 0;          ///< of forces, per step
  int declared_order = 0;
  double measured_order = 0;  ///< on a thread without contact, where solutions are smooth
  bool symplectic = false;
  double score = 0;     ///< Δt / t
  double relative = 0;  ///< to the score of explicit Euler
};

/// What was measured on: for headings.
struct ScoreSheet {
  std::string subject;  ///< in words
  int links = 0;        ///< of the thread
  int vertices = 0;
  std::string order_subject;
  double duration = 0;      ///< of each run [s]
  double frequency = 0;     ///< highest at the start [rad/s]
  std::vector<Score> rows;  ///< best score first
};

/// Of every explicit method of the registry, or what stands in for it. Quick: a shorter thread, for a short time.
ScoreSheet score_sheet(bool quick, const std::map<std::string, std::string>& stand_ins = {});

}  // namespace brio
