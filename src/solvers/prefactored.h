/// Factors of M/h² + Σ c θ² L, the matrix of local/global solvers, kept from step to step.
#pragma once

#include <array>
#include <memory>

#include "solvers/linear/scalar_factor.h"
#include "solvers/solver.h"

namespace brio {

/// Single precision is enough: local/global iterations correct themselves, and conjugate gradients too. Holds a few: a
/// method may alternate between steps of two kinds (`stabilized`: M/h² + L/4 and M/h² + L), and halved steps come and
/// go.
class Prefactored {
 public:
  /// Makes the factor for the step that is declared the current one, unless it is at hand. False when the matrix is not
  /// positive definite.
  bool prepare(const StepObjective& objective, SolveReport& report);
  ScalarFactor& factor() { return *current_->factor; }  ///< the current one
  /// d = -A⁻¹ g.
  void descend(const NodalField& g, NodalField& d, SolveReport& report);

 private:
  struct Entry {
    std::unique_ptr<ScalarFactor> factor{};
    StepObjective::Stamp stamp{};
    long used = -1;  ///< when; -1: holds no factor
  };
  std::shared_ptr<const BlockPattern> pattern_;
  std::array<Entry, 3> entries_;
  Entry* current_ = nullptr;
  long clock_ = 0;
  std::vector<double> values_;
  std::string description_;
};

}  // namespace brio
