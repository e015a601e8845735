/// The constraints of a model as equations g(x) = 0 and their Jacobian. All are in meters and, where they hold, have
/// gradients of length one per vertex:
///   distance, sphere   (|d|² − L²) / (2L),   d = x_a − x_b or x_a − point
///   plane              (x_a − point) · n
///   line               (x_a − point) · n_1, n_2      across the direction
///   point, together    x_a − point,   x_a − x_b − point
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "brio/model.h"

namespace brio {

/// One row per equation; each has an entry for one vertex or two. Entries of pinned vertices are zero.
class ConstraintJacobian {
 public:
  struct Row {
    int a;
    int b;  ///< the same as a where there is no second vertex
    Vec3 of_a;
    Vec3 of_b;
  };

  explicit ConstraintJacobian(int rows = 0) : rows_(rows) {}
  Row& operator[](int k) { return rows_[k]; }
  const Row& operator[](int k) const { return rows_[k]; }
  int rows() const { return static_cast<int>(rows_.size()); }

  void multiply(const NodalField& d, Eigen::VectorXd& Jd) const;
  /// Adds Jᵀλ to f.
  void add_transposed(const Eigen::VectorXd& lambda, NodalField& f) const;
  void put(int k, NodalField& f) const;    ///< makes a field that was zero row k
  void clear(int k, NodalField& f) const;  ///< makes it zero again

 private:
  std::vector<Row> rows_;
};

class ConstraintSet {
 public:
  explicit ConstraintSet(const Model& model);

  int equations() const { return equations_; }
  void evaluate(const NodalField& x, Eigen::VectorXd& g) const;
  void jacobian(const NodalField& x, ConstraintJacobian& J) const;
  /// The largest length that enters the equations [m], against which |g| is measured.
  double scale(const NodalField& x) const;
  /// What does not hold at x, and by how much; empty when all do.
  std::string violation(const NodalField& x) const;

 private:
  const Model* model_;
  int equations_ = 0;
};

const char* to_string(Constraint::Kind kind);

}  // namespace brio
