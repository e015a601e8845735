#include "solvers/linear/linear_solver.h"

#include <algorithm>

#include "core/fields.h"
#include "core/lasting.h"
#include "solvers/linear/cholesky.h"
#include "solvers/linear/pcg.h"

namespace brio {
namespace {

/// Loose blocks, of contacts, are not in the factor, which then preconditions conjugate gradients: what it lacks
/// couples few vertices, and the diagonal blocks that belong to it are there.
class DirectSolver final : public LinearSolver {
 public:
  /// `why` it was chosen, for the description; empty: it was asked for.
  explicit DirectSolver(const BlockPattern& pattern, const std::string& why = {})
      : cholesky_(make_cholesky(pattern, 3)), description_(lasting(cholesky_->description() + why)) {}

  bool factor(const BlockMatrix& A) override {
    A_ = &A;
    return cholesky_->factor(A.values());
  }
  LinearReport solve(const NodalField& b, NodalField& x, double tolerance) override {
    if (A_->loose().empty()) {
      cholesky_->solve(b, x);
      return {.solved = true};
    }
    constexpr int max_iterations = 2000;
    return iterate_(
        b, x, tolerance, max_iterations,
        [this](const NodalField& d, NodalField& q) {
          multiply(*A_, d, q);
          return sum_.dot(d, q);
        },
        [this](const NodalField& r, NodalField& z) {
          cholesky_->solve(r, z);
          return sum_.dot(r, z);
        });
  }
  const char* description() const override { return description_; }

 private:
  std::unique_ptr<Cholesky> cholesky_;
  const char* description_;
  const BlockMatrix* A_ = nullptr;
  ConjugateGradients iterate_;
  NodalSum sum_;
};

/// Decides by what it can count, never by the clock: results must not depend on how busy the machine is.
class AutoSolver final : public LinearSolver {
 public:
  explicit AutoSolver(std::shared_ptr<const BlockPattern> pattern) : pattern_(pattern), pcg_(std::move(pattern)) {}

  void precondition(ScalarFactor* factor) override {
    pcg_.precondition(factor);
    pcg_.set_limit(worthwhile_iterations());
    use_direct_ = false;
    description_ = by_iteration;
  }

  bool factor(const BlockMatrix& A) override {
    A_ = &A;
    return use_direct_ ? direct_->factor(A) : pcg_.factor(A);
  }

  LinearReport solve(const NodalField& b, NodalField& x, double tolerance) override {
    if (use_direct_) return direct_->solve(b, x, tolerance);
    LinearReport report = pcg_.solve(b, x, tolerance);
    if (report.solved || report.indefinite || pcg_.direct_bytes() > max_direct_bytes) return report;
    if (!direct_) direct_ = std::make_unique<DirectSolver>(*pattern_, " (auto: conjugate gradients took too long)");
    use_direct_ = direct_->factor(*A_);
    if (!use_direct_) {
      report.indefinite = true;
      return report;
    }
    description_ = direct_->description();
    return direct_->solve(b, x, tolerance);
  }

  const char* description() const override { return description_; }

 private:
  static constexpr double max_direct_bytes = 4e9;

  /// As many as take the time of a factorization, if a core reads 40 GB/s from its caches, 14 GB/s from memory, and
  /// factors 20 Gflop/s: assumptions, the same on every machine, so that results are too.
  int worthwhile_iterations() const {
    const double bytes = pcg_.iteration_bytes();
    const double iteration = bytes / (bytes < 8e6 ? 40e9 : 14e9);
    const double factorization = pcg_.direct_flops() / 20e9 + 2 * pcg_.direct_bytes() / 14e9;
    return std::clamp(static_cast<int>(factorization / iteration), 40, 1000);
  }

  std::shared_ptr<const BlockPattern> pattern_;
  PcgSolver pcg_;
  std::unique_ptr<DirectSolver> direct_;
  const BlockMatrix* A_ = nullptr;
  bool use_direct_ = false;
  static constexpr const char* by_iteration = "conjugate gradients, preconditioned by the scalar factor (auto)";
  const char* description_ = by_iteration;
};

}  // namespace

bool is_iterative(LinearChoice choice, const BlockPattern& pattern) {
  constexpr int few_vertices = 200;  // 288 still gain from iterations in `brio bench solvers`
  return choice == LinearChoice::pcg || (choice == LinearChoice::automatic && pattern.vertices() >= few_vertices);
}

std::unique_ptr<LinearSolver> make_linear_solver(LinearChoice choice, std::shared_ptr<const BlockPattern> pattern) {
  if (!is_iterative(choice, *pattern))
    return std::make_unique<DirectSolver>(*pattern, choice == LinearChoice::automatic ? " (auto: few vertices)" : "");
  if (choice == LinearChoice::automatic) return std::make_unique<AutoSolver>(std::move(pattern));
  return std::make_unique<PcgSolver>(std::move(pattern));
}

}  // namespace brio
