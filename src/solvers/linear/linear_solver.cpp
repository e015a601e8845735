#include "solvers/linear/linear_solver.h"

#include <fmt/format.h>

#include "core/fields.h"
#include "solvers/linear/cholesky.h"
#include "solvers/linear/pcg.h"

namespace brio {
namespace {

constexpr int direct_limit = 20000;  ///< vertices

class DirectSolver final : public LinearSolver {
 public:
  DirectSolver(const BlockPattern& pattern, const std::string& reason)
      : cholesky_(make_cholesky(pattern, 3)), description_(cholesky_->description() + reason) {}

  bool factor(const BlockMatrix& A) override { return cholesky_->factor(A.values()); }
  LinearReport solve(const NodalField& b, NodalField& x, double /*tolerance*/) override {
    cholesky_->solve(b, x);
    return {.solved = true};
  }
  std::string description() const override { return description_; }

 private:
  std::unique_ptr<Cholesky> cholesky_;
  std::string description_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_linear_solver(const std::string& name, std::shared_ptr<const BlockPattern> pattern) {
  const bool chosen = name == "auto";
  if (!chosen && name != "direct" && name != "pcg")
    refuse_name("solver.linear", name, "unknown linear solver", {"auto", "direct", "pcg"});
  const int n = pattern->vertices();
  if (name == "direct" || (chosen && n <= direct_limit)) {
    const std::string reason = fmt::format(" (auto: {} vertices, at most {})", n, direct_limit);
    return std::make_unique<DirectSolver>(*pattern, chosen ? reason : "");
  }
  const std::string reason = fmt::format(" (auto: {} vertices, more than {})", n, direct_limit);
  return std::make_unique<PcgSolver>(std::move(pattern),
                                     "conjugate gradients, block Jacobi" + (chosen ? reason : std::string()));
}

}  // namespace brio
