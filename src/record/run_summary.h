/// run.json: how a run went, in one object.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "brio/model.h"

namespace brio {

/// Extremes of the ledger, gathered row by row.
class RunSummary {
 public:
  /// The rows of a run in their order, the initial one first.
  void add(const LedgerRow& row);

  long frames() const { return rows_ - 1; }
  /// Largest |residual| over the largest kinetic + elastic energy and change of potential seen so far, a scale that
  /// vanishes only when nothing happens.
  double max_relative_error() const;

  std::string integrator{};
  std::string title{};
  std::string message{};                                    ///< why the run failed; empty when it did not
  std::uint64_t hash = 0;                                   ///< of the final state
  double h = 0;                                             ///< [s]
  double load_seconds = 0;                                  ///< reading the scene
  double run_seconds = 0;                                   ///< steps and ledger
  double total_seconds = 0;                                 ///< all
  std::vector<std::pair<std::string, double>> solver_ms{};  ///< phases of the solver and their time [ms]

  /// status, integrator, frames, energy, momentum, hash, timings, versions.
  nlohmann::ordered_json json() const;

 private:
  LedgerRow first_, last_;
  long rows_ = 0;
  double max_residual_ = 0;        ///< [J]
  double scale_ = 0;               ///< [J]
  double max_linear_change_ = 0;   ///< [kg m/s]
  double max_angular_change_ = 0;  ///< [kg m²/s]
};

}  // namespace brio
