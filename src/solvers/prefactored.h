/// Factors of M/h² + Σ c θ² L, the matrix of local/global solvers, kept from step to step.
#pragma once

#include <array>
#include <memory>

#include "solvers/linear/scalar_factor.h"
#include "solvers/solver.h"

namespace brio {

/// Single precision is enough: local/global iterations correct themselves, and conjugate gradients too. Holds a few: a
/// method may alternate between steps of two kinds (`stabilized`: M/h² + L/4 and M/h² + L), and halved steps come and
/// go. Where the model changes but still couples the same vertices, as with other pins or attachments, new numbers are
/// factored and nothing is analyzed again.
class Prefactored {
 public:
  /// Makes the factor for the step that is declared the current one, unless it is at hand. False when the matrix is not
  /// positive definite.
  bool prepare(const Objective& objective, SolveReport& report);
  ScalarFactor& factor() { return *current_->factor; }  ///< the current one
  /// d = -(A + C)⁻¹ g, C the curvature of contacts at x, which comes and goes and is in no factor; where there is any,
  /// that of A preconditions a few conjugate gradients.
  void descend(Objective& objective, const NodalField& x, const NodalField& g, NodalField& d, SolveReport& report);

 private:
  struct Entry {
    std::unique_ptr<ScalarFactor> factor{};
    Objective::Stamp stamp{};
    long used = -1;  ///< when; -1: holds no factor
  };
  std::shared_ptr<const BlockPattern> pattern_;
  std::array<Entry, 3> entries_;
  Entry* current_ = nullptr;
  long clock_ = 0;
  bool find_contacts(Objective& objective, const NodalField& x);
  /// d = (A + C)⁻¹ g to a few digits.
  void solve_corrected(const NodalField& g, NodalField& d);

  std::unique_ptr<BlockMatrix> contacts_;  ///< made when the model has any
  std::vector<LooseBlock> C_;              ///< its blocks that are not zero, on the diagonal and below
  NodalField r_, z_, p_, Ap_, Cp_;
  NodalSum sum_;
  const char* description_ = "";
};

}  // namespace brio
