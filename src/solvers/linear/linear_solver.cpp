#include "solvers/linear/linear_solver.h"

#include <fmt/format.h>

#include "core/fields.h"
#include "solvers/linear/cholesky.h"
#include "solvers/linear/pcg.h"

namespace brio {
namespace {

class DirectSolver final : public LinearSolver {
 public:
  explicit DirectSolver(const BlockPattern& pattern)
      : cholesky_(make_cholesky(pattern, 3)), description_(cholesky_->description()) {}

  bool factor(const BlockMatrix& A) override { return cholesky_->factor(A.values()); }
  LinearReport solve(const NodalField& b, NodalField& x, double /*tolerance*/) override {
    cholesky_->solve(b, x);
    return {.solved = true};
  }
  const std::string& description() const override { return description_; }

 private:
  std::unique_ptr<Cholesky> cholesky_;
  std::string description_;
};

/// Decides by what it can count, never by the clock: results must not depend on how busy the machine is.
class AutoSolver final : public LinearSolver {
 public:
  explicit AutoSolver(std::shared_ptr<const BlockPattern> pattern) : pattern_(pattern), pcg_(std::move(pattern)) {}

  void precondition(std::span<const double> scalar) override {
    pcg_.precondition(scalar);
    use_direct_ = false;
    description_ = pcg_.description() + " (auto: fewer bytes than a factorisation)";
  }

  bool factor(const BlockMatrix& A) override {
    A_ = &A;
    return use_direct_ ? direct().factor(A) : pcg_.factor(A);
  }

  LinearReport solve(const NodalField& b, NodalField& x, double tolerance) override {
    if (use_direct_) return direct().solve(b, x, tolerance);
    LinearReport report = pcg_.solve(b, x, tolerance);
    if (report.solved) {
      // Measured on two kinds of machine: a core streams 12 GB/s and factors 20 Gflop/s.
      const double iterative = report.iterations * pcg_.iteration_bytes() / 12e9;
      const double by_factor = pcg_.direct_flops() / 20e9 + 2 * pcg_.direct_bytes() / 12e9;
      if (iterative > by_factor && pcg_.direct_bytes() < most_direct_bytes)
        choose_direct("conjugate gradients took more iterations than a factorisation is worth");
    } else if (!report.indefinite && pcg_.direct_bytes() < most_direct_bytes) {
      choose_direct("conjugate gradients did not converge");
      if (direct().factor(*A_)) report = direct().solve(b, x, tolerance);
    }
    return report;
  }

  const std::string& description() const override { return description_; }

 private:
  static constexpr double most_direct_bytes = 4e9;

  void choose_direct(const char* reason) {
    use_direct_ = true;
    description_ = fmt::format("{} (auto: {})", direct().description(), reason);
  }
  LinearSolver& direct() {
    if (!direct_) direct_ = std::make_unique<DirectSolver>(*pattern_);
    return *direct_;
  }

  std::shared_ptr<const BlockPattern> pattern_;
  PcgSolver pcg_;
  std::unique_ptr<DirectSolver> direct_;
  const BlockMatrix* A_ = nullptr;
  bool use_direct_ = false;
  std::string description_ = "not used yet";
};

}  // namespace

std::unique_ptr<LinearSolver> make_linear_solver(const std::string& name, std::shared_ptr<const BlockPattern> pattern) {
  constexpr int few_vertices = 1000;  // measured: below, a factorisation is faster than the iterations
  if (name == "direct" || (name == "auto" && pattern->vertices() < few_vertices))
    return std::make_unique<DirectSolver>(*pattern);
  if (name == "auto") return std::make_unique<AutoSolver>(std::move(pattern));
  if (name == "pcg") return std::make_unique<PcgSolver>(std::move(pattern));
  refuse_name("solver.linear", name, "unknown linear solver", {"auto", "direct", "pcg"});
}

}  // namespace brio
