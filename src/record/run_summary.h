/// run.json: how a run went, in one object.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "brio/model.h"

namespace brio {

/// Extremes of the ledger, gathered row by row.
class RunSummary {
 public:
  /// Something that the reader of the results should know.
  struct Warning {
    std::string about{};  ///< tells it from others: "penetration of floor"
    std::string text{};   ///< when it first was so
    long frames = 0;      ///< in which it was so
    double severity = 0;  ///< the greatest of them, where such is told
    std::string worst{};  ///< what was said then; empty: when it first was so
  };

  /// What rows have left behind; enough to go on from in another process.
  struct Gathered {
    LedgerRow first{}, last{};
    long rows = 0;
    double max_residual = 0;        ///< [J]
    double scale = 0;               ///< [J]
    double max_linear_change = 0;   ///< [kg m/s]
    double max_angular_change = 0;  ///< [kg m²/s]
    std::vector<Warning> warnings{};
  };

  /// The rows of a run in their order, the initial one first.
  void add(const LedgerRow& row);
  /// Counts the frame; true when it is the first of its kind. Kept are the first text and that of the greatest
  /// severity.
  bool warn(const std::string& about, const std::string& text, double severity = 0);

  const Gathered& gathered() const { return gathered_; }
  void go_on_from(const Gathered& gathered) { gathered_ = gathered; }

  long frames() const { return gathered_.rows - 1; }
  const char* status() const;  ///< "ok", "exploded", "failed" or "interrupted"
  /// Largest |residual| over the largest kinetic + elastic energy and change of potential seen so far, a scale that
  /// vanishes only when nothing happens.
  double max_relative_error() const;

  std::string outcome() const;  ///< "12 frames in 3 s; energy kept to 1.2e-11"

  std::string integrator{};
  std::string title{};
  std::string message{};                                    ///< why the run failed; empty when it did not
  std::optional<long> exploded{};                           ///< the frame at which it did
  bool interrupted = false;                                 ///< before its last frame
  std::uint64_t hash = 0;                                   ///< of the final state
  double h = 0;                                             ///< [s]
  double load_seconds = 0;                                  ///< reading the scene
  double run_seconds = 0;                                   ///< steps and ledger
  double total_seconds = 0;                                 ///< all
  std::vector<std::pair<std::string, double>> solver_ms{};  ///< phases of the solver and their time [ms]
  /// Which linear solvers were used, and why, with the steps that each ended; of this process alone.
  std::vector<std::pair<std::string, long>> linear_solvers{};

  /// status, integrator, frames, energy, momentum, hash, warnings, timings, versions.
  nlohmann::ordered_json json() const;

 private:
  Gathered gathered_;
};

}  // namespace brio
