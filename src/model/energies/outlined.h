/// A kernel whose long functions are compiled once, however many loops call them: the compiler takes far longer over a
/// function that has swallowed three others. A call costs cheap materials a third of their time, so that the plain
/// loops over energies, gradients and Hessians use the kernel's own functions, which are inlined.
#pragma once

#include "math/small.h"

namespace brio {

template <class Kernel>
struct Outlined : Kernel {
  using Points = Vector3<Doubles>;
  /// Projected Hessians and what comes with them are functions of their own.
  static constexpr bool splits =
      requires(const Kernel& kernel, const Doubles* p, const Points* x, Doubles weight, Matrix3<Doubles>* K) {
    kernel.projected_blocks(p, x, weight, K);
  };

  [[gnu::noinline]] Doubles energy(const Doubles* p, const Points* x) const { return Kernel::energy(p, x); }
  [[gnu::noinline]] Doubles gradient(const Doubles* p, const Points* x, Doubles weight, Points* g) const {
    return Kernel::gradient(p, x, weight, g);
  }
  template <bool project>
  [[gnu::noinline]] Doubles hessian(const Doubles* p, const Points* x, Doubles weight, Doubles hessian_weight,
                                    Points* g, Matrix3<Doubles>* K) const {
    if constexpr (project && splits) {
      Kernel::projected_blocks(p, x, hessian_weight, K);
      return gradient(p, x, weight, g);
    } else {
      return Kernel::template hessian<project>(p, x, weight, hessian_weight, g, K);
    }
  }

  [[gnu::noinline]] Doubles discrete_gradient(const Doubles* p, const Points* x_n, const Points* x, Doubles weight,
                                              Points* g) const requires requires(const Kernel& kernel) {
    kernel.discrete_gradient(p, x_n, x, weight, g);
  }
  { return Kernel::discrete_gradient(p, x_n, x, weight, g); }
  template <bool project>
  [[gnu::noinline]] Doubles discrete_hessian(const Doubles* p, const Points* x_n, const Points* x, Doubles weight,
                                             Doubles hessian_weight, Points* g, Matrix3<Doubles>* K) const {
    if constexpr (project && splits) {
      Kernel::discrete_projected_blocks(p, x_n, x, hessian_weight, K);
      return discrete_gradient(p, x_n, x, weight, g);
    } else {
      return Kernel::template discrete_hessian<project>(p, x_n, x, weight, hessian_weight, g, K);
    }
  }
};

}  // namespace brio
