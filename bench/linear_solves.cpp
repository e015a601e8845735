#include "bench/linear_solves.h"

#include <fmt/format.h>

#include <Eigen/IterativeLinearSolvers>

#include "bench/machine.h"
#include "math/block_matrix.h"
#include "solvers/linear/linear_solver.h"
#include "solvers/linear/scalar_factor.h"

namespace brio::bench {
namespace {

constexpr double cg_tolerance = 1e-6;  // of conjugate gradients

std::unique_ptr<ScalarFactor> scalar_factor(const Subject& s) {
  std::vector<double> laplacian(s.model.pattern()->blocks());
  s.objective->laplacian(laplacian);
  auto factor = std::make_unique<ScalarFactor>(*s.model.pattern(), Precision::single);
  factor->factor(laplacian);
  return factor;
}

}  // namespace

void triangular_solves(Subject& s, const PlainSolver* plain, const Done& done) {
  constexpr double times_bound = 3;  // at most so many times the bound is wanted
  const auto factor = scalar_factor(s);
  NodalField b(s.y.size());
  s.objective->gradient(s.y, b);
  NodalField x = b;
  std::vector<Vec3> plain_b, plain_x(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) plain_b.emplace_back(b[i]);
  const double plain_ms = plain == nullptr ? 0 : min_ms(1, [&] { plain->descend(plain_b, plain_x); });
  for (const int count : thread_counts()) {
    Row row{.name = "triangular solves", .size = s.size, .threads = count, .baseline_ms = plain_ms};
    row.baseline = plain == nullptr ? "left out: Eigen's factors take minutes and gigabytes" : "Eigen SimplicialLLT";
    row.ms = min_ms(count, [&] { factor->solve(b, x); });
    row.bound_ms = reading_ms(factor->bytes(), 2, count);
    row.bytes = static_cast<double>(factor->bytes());
    row.detail = fmt::format("{:.1f} times the bound (at most {} wanted); {}", row.ms / row.bound_ms, times_bound,
                             factor->description());
    done(row);
  }
}

void conjugate_gradients(Subject& s, const Done& done) {
  BlockMatrix H(s.model.pattern());
  NodalField b(s.y.size()), x(s.y.size());
  s.objective->hessian(s.y, Projection::none, b, H);
  const auto preconditioner = scalar_factor(s);
  const auto solver = make_linear_solver(LinearChoice::pcg, s.model.pattern());
  solver->precondition(preconditioner.get());

  const Eigen::SparseMatrix<double> plain_H = to_eigen(H);
  Eigen::VectorXd plain_b(plain_H.rows()), plain_x;
  for (std::size_t i = 0; i < b.size(); ++i) plain_b.segment<3>(static_cast<Eigen::Index>(3 * i)) = b[i];
  Eigen::Index plain_iterations = 0;
  const double plain_ms = min_ms(1, [&] {
    Eigen::ConjugateGradient<Eigen::SparseMatrix<double>, Eigen::Lower | Eigen::Upper> cg;
    cg.setTolerance(cg_tolerance);
    cg.compute(plain_H);
    plain_x = cg.solve(plain_b);
    plain_iterations = cg.iterations();
  });
  for (const int count : thread_counts()) {
    LinearReport report;
    Row row{.name = "conjugate gradients", .size = s.size, .threads = count, .baseline_ms = plain_ms};
    row.ms = min_ms(count, [&] {
      solver->factor(H);
      report = solver->solve(b, x, cg_tolerance);
    });
    row.baseline = fmt::format("Eigen ConjugateGradient, diagonal; {} iterations", plain_iterations);
    row.detail = fmt::format("{} iterations to {:g}; {}", report.iterations, cg_tolerance, solver->description());
    done(row);
  }
}

}  // namespace brio::bench
