/// L-BFGS that starts from the prefactored matrix of local/global as its Hessian: quasi-Newton for any hyperelastic
/// material at the cost of local/global iterations. [Liu, Bouaziz & Kavan 2017, section 5; two loops of Nocedal 1980]
/// Departs: what does not converge, as where elements are inside out or far stiffer than at rest, is handed to Newton's
/// method, unless the number of iterations was asked for.
#pragma once

#include <optional>
#include <vector>

#include "solvers/line_search.h"
#include "solvers/newton.h"
#include "solvers/prefactored.h"

namespace brio {

class Lbfgs final : public Solver {
 public:
  explicit Lbfgs(const SolverOptions& options) : options_(options) {}
  SolveReport solve(Objective& objective, NodalField& x) override;

 private:
  SolveReport iterate(Objective& objective, NodalField& x);
  void prepare(std::size_t vertices);
  /// d_ = -B⁻¹ g_, B the matrix updated by the pairs remembered.
  void find_direction(Objective& objective, const NodalField& x, SolveReport& report);
  /// The pair of the step from before_x_ with gradient before_g_ to x with g_.
  void remember(const NodalField& x);

  SolverOptions options_;
  Prefactored matrix_;
  LineSearch search_;
  NodalField guess_, g_, d_, before_x_, before_g_;
  std::vector<NodalField> s_, y_;  ///< steps and changes of gradient; a ring
  std::vector<double> sy_;         ///< s . y
  std::vector<double> alpha_;
  int count_ = 0;                   ///< pairs since the start
  std::optional<Newton> newton_{};  ///< made when it is first needed
  NodalSum sum_;
};

}  // namespace brio
