/// What objectives of users have in common, whichever way they are written.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "brio/objective.h"

namespace brio::python {

/// Some vertices stay where they are. What a gradient is small beside is the largest that was met.
class UserObjective : public Objective {
 public:
  UserObjective(std::size_t vertices, const std::vector<int>& fixed) : fixed_(vertices, 0) {
    for (const int vertex : fixed) fixed_[static_cast<std::size_t>(vertex)] = 1;
  }
  const std::shared_ptr<const BlockPattern>& pattern() const override { return pattern_; }
  Stamp stamp() const override { return {.inertia = 1}; }
  double scale() const override { return scale_; }

 protected:
  std::size_t vertices() const { return fixed_.size(); }
  bool is_fixed(int vertex) const { return fixed_[static_cast<std::size_t>(vertex)] != 0; }
  template <class Visit>
  void for_blocks(Visit visit) const {
    for (int j = 0; j < pattern_->vertices(); ++j)
      for (int k = pattern_->column_start[j]; k < pattern_->column_start[j + 1]; ++k) visit(pattern_->row[k], j, k);
  }
  void settle(NodalField& g) {
    for (std::size_t i = 0; i < g.size(); ++i)
      if (fixed_[i] != 0) g[i].setZero();
    const double size = norm(g);
    if (std::isfinite(size)) scale_ = std::max(scale_, size);
  }
  void settle(BlockMatrix& H) const {
    for_blocks([&](int i, int j, int k) {
      if (!is_fixed(i) && !is_fixed(j)) return;
      std::fill_n(H.block(k), 9, 0.0);
      if (i == j)
        for (int c = 0; c < 3; ++c) H.block(k)[4 * c] = 1;
    });
  }
  /// With as much on the diagonal as makes it definite.
  void settle(std::span<double> A) const {
    double largest = 0;
    for_blocks([&](int i, int j, int k) {
      if (i == j) largest = std::max(largest, A[static_cast<std::size_t>(k)]);
    });
    for_blocks([&](int i, int j, int k) {
      double& entry = A[static_cast<std::size_t>(k)];
      if (is_fixed(i) || is_fixed(j)) entry = 0;
      if (i == j) entry += is_fixed(i) ? 1 : 1e-6 * largest + (largest > 0 ? 0 : 1);
    });
  }

  std::shared_ptr<const BlockPattern> pattern_;

 private:
  std::vector<char> fixed_;
  double scale_ = 0;
};

}  // namespace brio::python
