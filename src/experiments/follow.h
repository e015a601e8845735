/// Runs of one scene by several integrators, followed frame by frame: what experiments measure and draw.
#pragma once

#include <optional>

#include "brio/scene.h"
#include "experiments/experiment.h"

namespace brio {

/// One run, frame by frame.
struct Track {
  std::string label;
  std::string integrator;
  double h = 0;                         ///< integration step [s]
  long planned = 0;                     ///< frames
  std::vector<LedgerRow> rows{};        ///< the initial state first
  std::vector<double> frame_ms{};       ///< per row: processor time of the frame that led to it
  std::vector<double> watched{};        ///< per row, what Plan::watch found
  std::vector<NodalField> positions{};  ///< per row, where they were asked for [m]
  std::optional<long> ended{};          ///< the frame before which a step failed
  std::string message{};                ///< why
  double seconds = 0;                   ///< of processor time
  double growth = 1;                    ///< Plan::growth
  State end{};

  bool finished() const { return static_cast<long>(rows.size()) == planned + 1; }
  const LedgerRow& last() const { return rows.back(); }
  /// The first frame at which it had ended, or the energy had exceeded growth times that of the start.
  std::optional<long> exploded() const;
};

struct Plan {
  std::string scene{};                                         ///< in scenes/papers, without .toml
  std::string integrator{};                                    ///< instead of the scene's
  std::string label{};                                         ///< else the integrator
  std::vector<std::pair<std::string, std::string>> changes{};  ///< of the scene: {"body[0].mass", "2"}
  std::function<void(SimulationOptions&)> alter{};             ///< of step, solver, and options of the integrator
  long frames = 0;                                             ///< instead of the scene's
  int steps_per_frame = 0;                                     ///< instead of the scene's
  bool positions = false;                                      ///< keep them
  bool shown = true;                                           ///< its motion, where pages are made
  double growth = 10;                                          ///< of the energy: beyond, it has exploded
  double give_up = 1e4;                              ///< of the energy: the run ends beyond, its fate being clear
  std::function<double(const Simulation&)> watch{};  ///< after each frame, the initial state first
};

/// A scene of the papers, as `brio run scenes/papers/NAME.toml` runs it.
Scene paper_scene(const std::string& name, const std::vector<std::pair<std::string, std::string>>& changes = {});
std::filesystem::path papers_folder();
bool is_installed();  ///< else the program runs from the sources that it was built from

/// Runs the plan; the motion goes into the outcome where it is wanted.
Track follow(const Trial& trial, const Plan& plan, Outcome& outcome);

/// All that a run of the program depends on.
std::string run_text(const Scene& scene, const SimulationOptions& options, const Plan& plan);

using OfRow = std::function<double(const LedgerRow&)>;

/// One curve per run.
Chart frame_chart(const std::string& title, const std::string& y_label, const std::vector<const Track*>& tracks,
                  const OfRow& value, bool log = false);
/// Of values per frame that are in no ledger.
Series over_frames(const std::string& name, const std::vector<double>& values);

}  // namespace brio
