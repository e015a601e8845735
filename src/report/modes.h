/// Modes: the shapes in which a body vibrates, slow ones first, and how much of a motion is faster than they are.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "brio/model.h"

namespace brio {

/// Kφ = ω² Mφ, the slowest ones, with φᵢᵀMφⱼ = δᵢⱼ. What pins hold does not move in them.
class Modes {
 public:
  /// About a configuration, with the curvature of all energies there: what a guitar string or a bell does.
  static Modes of_vibration(const Model& model, const NodalField& x, int count);
  /// Of the constant stiffness that each energy states for itself, as local/global solvers use it, alike in x, y and z.
  /// These are patterns from coarse to fine that need no configuration: of a flat sheet too, whose bulging has no
  /// stiffness at first.
  static Modes of_patterns(const Model& model, int count);

  int count() const { return static_cast<int>(frequencies_.size()); }
  const std::vector<double>& frequencies() const { return frequencies_; }  ///< ω [rad/s], ascending

  /// φ of a mode of vibration.
  NodalField shape(int mode) const;
  /// Kinetic energy of each mode [J]; of patterns, of x, y and z together.
  std::vector<double> kinetic_energies(const NodalField& v) const;
  /// Kinetic energy of what none of the modes takes part in: of all that is faster, or finer [J].
  double kinetic_energy_above(const NodalField& v) const;

 private:
  /// Of K in `width` unknowns per vertex.
  Modes(const Eigen::SparseMatrix<double>& K, const std::vector<double>& mass, const std::vector<char>& pinned,
        int width, int count);

  int width_;  ///< unknowns of a vertex: 1 for patterns, 3 for vibrations
  std::vector<double> mass_;
  std::vector<double> frequencies_;
  Eigen::MatrixXd momenta_;  ///< Mφ, a column per mode
};

}  // namespace brio
