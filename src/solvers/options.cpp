#include "solvers/options.h"

namespace brio {

const FieldTable<SolverOptions>& solver_fields() {
  using O = SolverOptions;
  static const auto table =
      FieldTable<O>{}
          .text("name", &O::name, {}, "any of `brio list solvers`")  // whose registry knows whether it is one
          .number("tolerance", &O::tolerance, "", Bound{.low = 0, .high = 1, .low_open = true},
                  "stop when the unbalanced force is this small beside the forces in play")
          .whole("iterations", &O::iterations, Bound::closed(0, 100000),
                 "the most to do; 0: 100, of newton in contact 200, of lbfgs 500, of local-global 10")
          .choice("definite", &O::definite,
                  "newton: clamp the curvature of each element, or add to the diagonal until the factorization works")
          .choice("linear", &O::linear, "newton: sparse Cholesky or conjugate gradients")
          .choice("acceleration", &O::acceleration, "of local-global")
          .number("rho", &O::rho, "", Bound{.low = 0, .high = 1, .high_open = true},
                  "chebyshev: estimate of how slowly the plain iteration converges")
          .whole("window", &O::window, Bound::closed(1, 50), "anderson, lbfgs: earlier iterates to learn from")
          .choice("guess", &O::guess,
                  "from where each step is solved: inertia: where velocity and gravity lead; start: where it begins")
          .choice(
              "unconverged", &O::unconverged,
              "what to do with a step that does not converge: fail, take it as it is, or halve it; auto: local-global "
              "takes it, the others halve it");
  return table;
}

}  // namespace brio
