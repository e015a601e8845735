/// Anderson acceleration of a fixed-point iteration x <- G(x) = x + d(x): the combination of the last iterates whose
/// d is smallest, had d been linear. [Anderson 1965; Peng et al. 2018, section 3]
///   γ = argmin |d_k - Σ γ_j Δd_j|,   x_{k+1} = G_k - Σ γ_j ΔG_j
#pragma once

#include <vector>

#include "math/nodal_ops.h"

namespace brio {

class Anderson {
 public:
  Anderson(int window, std::size_t vertices);

  void restart() { count_ = 0; }
  /// From x and d, and from the pairs given since the restart, the next iterate.
  void accelerate(const NodalField& x, const NodalField& d, NodalField& next);

 private:
  double& gram(int a, int b) { return gram_[a * window_ + b]; }
  void remember(const NodalField& x, const NodalField& d);

  int window_;
  int count_ = 0;                    ///< pairs since the restart
  std::vector<NodalField> dd_, dG_;  ///< differences Δd, ΔG; a ring
  std::vector<double> gram_;         ///< Δd_a . Δd_b
  NodalField last_d_, last_G_;
  NodalSum sum_;
};

}  // namespace brio
