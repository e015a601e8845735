/// Small dense systems that may lack rank, solved where they stand: no allocation.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/cancellation.h"

namespace brio {

class DenseSolve {
 public:
  explicit DenseSolve(int size = 0) : columns_(size), y_(size), scaling_(size) {}

  /// b ← x with A x = b, by elimination with complete pivoting; A is destroyed. Unknowns beyond the rank are zero, so
  /// the rest solves what can be solved. Rows and columns are first scaled to a unit diagonal, so that units do not
  /// look like a loss of rank. Returns the rank.
  int operator()(Eigen::MatrixXd& A, Eigen::VectorXd& b) {
    constexpr double rounding = 1e-11;  // pivots that are smaller than this beside the largest are none
    const int n = static_cast<int>(b.size());
    for (int k = 0; k < n; ++k) {
      columns_[k] = k;
      y_[k] = A(k, k) != 0 ? 1 / std::sqrt(std::abs(A(k, k))) : 1;
    }
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) A(i, j) *= y_[i] * y_[j];
    b.array() *= y_.array();
    scaling_ = y_;

    int rank = 0;
    double largest = 0;
    for (; rank < n; ++rank) {
      interruption_point();
      int row = rank, column = rank;
      for (int j = rank; j < n; ++j)
        for (int i = rank; i < n; ++i)
          if (std::abs(A(i, j)) > std::abs(A(row, column))) row = i, column = j;
      const double pivot = std::abs(A(row, column));
      largest = std::max(largest, pivot);
      if (!(pivot > rounding * largest)) break;
      A.row(rank).swap(A.row(row));
      A.col(rank).swap(A.col(column));
      std::swap(b[rank], b[row]);
      std::swap(columns_[rank], columns_[column]);
      for (int i = rank + 1; i < n; ++i) {
        const double factor = A(i, rank) / A(rank, rank);
        for (int j = rank; j < n; ++j) A(i, j) -= factor * A(rank, j);
        b[i] -= factor * b[rank];
      }
    }
    y_.setZero();
    for (int i = rank - 1; i >= 0; --i) {
      double sum = b[i];
      for (int j = i + 1; j < rank; ++j) sum -= A(i, j) * y_[columns_[j]];
      y_[columns_[i]] = sum / A(i, i);
    }
    b.array() = scaling_.array() * y_.array();
    return rank;
  }

 private:
  std::vector<int> columns_;
  Eigen::VectorXd y_, scaling_;
};

}  // namespace brio
