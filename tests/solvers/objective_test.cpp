#include "brio/objective.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "solvers/solver.h"

namespace brio {
namespace {

/// Rosenbrock's valley as a chain, for each of the three coordinates by itself: nothing of a model, mass or time.
///   Φ = Σ 100 (b − a²)² + (1 − a)²,   a and b neighbors;   minimum 0 where all are 1
class Valley : public Objective {
 public:
  explicit Valley(int vertices) : vertices_(vertices) {
    PatternBuilder builder(static_cast<std::size_t>(vertices));
    for (int i = 0; i + 1 < vertices; ++i) builder.couple(std::array{i, i + 1});
    pattern_ = builder.build();
  }
  const std::shared_ptr<const BlockPattern>& pattern() const override { return pattern_; }

  double value(const NodalField& x) override {
    double phi = 0;
    for (int i = 0; i + 1 < vertices_; ++i)
      for (int c = 0; c < 3; ++c) {
        const double a = x[i][c], b = x[i + 1][c];
        phi += 100 * (b - a * a) * (b - a * a) + (1 - a) * (1 - a);
      }
    return phi;
  }
  double gradient(const NodalField& x, NodalField& g) override {
    g.set_zero();
    for (int i = 0; i + 1 < vertices_; ++i)
      for (int c = 0; c < 3; ++c) {
        const double a = x[i][c], b = x[i + 1][c];
        g[i][c] += -400 * a * (b - a * a) - 2 * (1 - a);
        g[i + 1][c] += 200 * (b - a * a);
      }
    return value(x);
  }
  double hessian(const NodalField& x, Projection projection, NodalField& g, BlockMatrix& H) override {
    H.set_zero();
    for (int i = 0; i + 1 < vertices_; ++i)
      for (int c = 0; c < 3; ++c) {
        const double a = x[i][c], b = x[i + 1][c];
        Eigen::Matrix2d element{{1200 * a * a - 400 * b + 2, -400 * a}, {-400 * a, 200}};
        if (projection == Projection::psd) {
          const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> eigen(element);
          element =
              eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
        }
        H.block(pattern_->find(i, i))[4 * c] += element(0, 0);
        H.block(pattern_->find(i + 1, i))[4 * c] += element(1, 0);
        H.block(pattern_->find(i + 1, i + 1))[4 * c] += element(1, 1);
      }
    return gradient(x, g);
  }
  void laplacian(std::span<double> A) const override {
    for (int i = 0; i < vertices_; ++i) {
      A[pattern_->find(i, i)] = 1002;
      if (i + 1 < vertices_) A[pattern_->find(i + 1, i)] = -400;
    }
  }
  Stamp stamp() const override { return {.stiffness = 1}; }
  double scale() const override { return 1; }

 protected:
  int vertices_;
  std::shared_ptr<const BlockPattern> pattern_;
};

/// The same where all are positive, and nothing elsewhere.
class WalledValley final : public Valley {
 public:
  using Valley::Valley;
  double value(const NodalField& x) override {
    for (int i = 0; i < vertices_; ++i)
      if (!(x[i].minCoeff() > 0)) return std::numeric_limits<double>::infinity();
    return Valley::value(x);
  }
  double domain_step(const NodalField& x, const NodalField& d) override {
    double step = 1;
    for (int i = 0; i < vertices_; ++i)
      for (int c = 0; c < 3; ++c)
        if (d[i][c] < 0) step = std::min(step, 0.9 * x[i][c] / -d[i][c]);
    return step;
  }
  void return_to_start(NodalField& x) const override { fill(x, 0.5); }
  static void fill(NodalField& x, double with) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i].setConstant(with);
  }
};

/// Local/global has one metric for all of the valley, which it follows slowly.
double tolerance_of(const std::string& name) { return name == "local-global" ? 1e-4 : 1e-9; }

void expect_minimum(Objective& objective, const NodalField& x, const SolveReport& report, const std::string& name) {
  EXPECT_TRUE(report.converged()) << name << ": " << report.message;
  EXPECT_GT(report.iterations, 2) << name;
  NodalField g(x.size());
  objective.gradient(x, g);
  EXPECT_LE(objective.norm(g), tolerance_of(name)) << name;
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_LT((x[i] - Vec3(1, 1, 1)).norm(), 100 * tolerance_of(name)) << name << ' ' << i;
}

}  // namespace

TEST(Objective, SolversMinimizeWhatIsNoStepOfAModel) {
  for (const char* name : {"newton", "lbfgs", "local-global", "root"})
    for (const Definite definite : {Definite::project, Definite::tikhonov}) {
      Valley valley(40);
      NodalField x(40);
      // From where curvature is positive for what wants equations solved, from across the valley for the rest.
      WalledValley::fill(x, std::string(name) == "root" ? 0.9 : 0.2);
      const auto solver =
          make_solver({.name = name, .tolerance = tolerance_of(name), .iterations = 20000, .definite = definite});
      const SolveReport report = solver->solve(valley, x);
      expect_minimum(valley, x, report, name);
    }
}

TEST(Objective, SolversKeepToItsDomainAndReturnToItFromAGuessOutside) {
  for (const char* name : {"newton", "lbfgs", "local-global"}) {
    WalledValley valley(12);
    NodalField x(12);
    WalledValley::fill(x, -1);
    const SolveReport report =
        make_solver({.name = name, .tolerance = tolerance_of(name), .iterations = 20000})->solve(valley, x);
    expect_minimum(valley, x, report, name);
  }
}

TEST(Objective, OneSolverServesObjectivesOfDifferentSizes) {
  for (const char* name : {"newton", "lbfgs", "local-global"}) {
    const auto solver = make_solver({.name = name, .tolerance = tolerance_of(name), .iterations = 20000});
    for (const int vertices : {10, 25, 10}) {
      Valley valley(vertices);
      NodalField x(static_cast<std::size_t>(vertices));
      WalledValley::fill(x, 0.2);
      const SolveReport report = solver->solve(valley, x);
      expect_minimum(valley, x, report, name);
    }
  }
}

}  // namespace brio
