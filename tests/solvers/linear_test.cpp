#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <filesystem>
#include <random>

#include "brio/energy.h"
#include "brio/model.h"
#include "math/block_matrix.h"
#include "solvers/linear/cholesky.h"
#include "solvers/linear/elimination.h"
#include "solvers/linear/linear_solver.h"
#include "solvers/linear/pcg.h"
#include "solvers/linear/scalar_factor.h"

namespace brio {
namespace {

/// A bar's stiffness with mass on its diagonal: positive definite.
struct System {
  Model model;
  std::unique_ptr<BlockMatrix> A;
  NodalField b;

  explicit System(std::array<int, 3> cells, double mass = 50) {
    model.add(SolidOptions{.mesh = make_bar({.cells = cells}), .material = {.name = "corotated"}});
    A = std::make_unique<BlockMatrix>(model.pattern());
    NodalField g(model.vertices());
    model.energies()[0]->hessian(model.rest(), {}, Projection::psd, g, *A);
    add_to_diagonal(mass);
    b = NodalField(model.vertices());
    std::mt19937 random(3);
    std::uniform_real_distribution<double> u(-1, 1);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = Vec3(u(random), u(random), u(random));
  }
  void add_to_diagonal(double s) {
    for (int j = 0; j < A->pattern().vertices(); ++j)
      for (const int k : {0, 4, 8}) A->block(A->pattern().column_start[j])[k] += s;
  }
  std::vector<double> scalar() const {
    std::vector<double> L(model.pattern()->blocks());
    model.energies()[0]->laplacian(1, L);
    for (int j = 0; j < model.pattern()->vertices(); ++j) L[model.pattern()->column_start[j]] += 50;
    return L;
  }
};

Eigen::VectorXd flat(const NodalField& f) {
  Eigen::VectorXd v(3 * f.size());
  for (std::size_t i = 0; i < f.size(); ++i) v.segment<3>(3 * static_cast<Eigen::Index>(i)) = f[i];
  return v;
}

double residual(const System& s, const NodalField& x) {
  return (to_eigen(*s.A) * flat(x) - flat(s.b)).norm() / flat(s.b).norm();
}

bool same_bits(const NodalField& a, const NodalField& b) {
  return std::equal(a.data(), a.data() + 4 * a.size(), b.data(), b.data() + 4 * b.size());
}

using MakeCholesky = std::unique_ptr<Cholesky> (*)(const BlockPattern&, int);
const std::vector<MakeCholesky>& choleskys() {
  static const std::vector<MakeCholesky> all{
      [](const BlockPattern& pattern, int width) { return make_eigen_cholesky(pattern, width); },
      [](const BlockPattern& pattern, int width) { return make_cholesky(pattern, width); }};
  return all;
}

constexpr std::array<int, 3> small_cells{5, 3, 2};   // 72 vertices: column by column
constexpr std::array<int, 3> large_cells{14, 6, 6};  // 735 vertices: supernodal

}  // namespace

TEST(Cholesky, SolvesToRoundOffInEveryBuildAndSize) {
  for (const auto cells : {small_cells, large_cells}) {
    const System s(cells);
    for (const auto make : choleskys()) {
      const auto cholesky = make(*s.model.pattern(), 3);
      ASSERT_TRUE(cholesky->factor(s.A->values()));
      NodalField x(s.b.size());
      cholesky->solve(s.b, x);
      EXPECT_LT(residual(s, x), 1e-12) << cholesky->description();
      NodalField in_place = s.b;
      cholesky->solve(in_place, in_place);
      EXPECT_TRUE(same_bits(in_place, x)) << cholesky->description();
    }
  }
}

TEST(Cholesky, NoticesIndefiniteMatricesAndRecovers) {
  for (const auto cells : {small_cells, large_cells})
    for (const auto make : choleskys()) {
      System s(cells);
      const auto cholesky = make(*s.model.pattern(), 3);
      s.add_to_diagonal(-100);
      EXPECT_FALSE(cholesky->factor(s.A->values())) << cholesky->description();
      s.A->block(0)[0] = std::nan("");
      EXPECT_FALSE(cholesky->factor(s.A->values())) << cholesky->description();
      const System good(cells);
      ASSERT_TRUE(cholesky->factor(good.A->values())) << cholesky->description();
      NodalField x(s.b.size());
      cholesky->solve(good.b, x);
      EXPECT_LT(residual(good, x), 1e-12) << cholesky->description();
    }
}

TEST(Cholesky, ScalarFactorSolvesForThreeColumnsAtOnce) {
  for (const auto cells : {small_cells, large_cells}) {
    const System s(cells);
    const std::vector<double> values = s.scalar();
    const BlockPattern& pattern = *s.model.pattern();
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(pattern.vertices(), pattern.vertices());
    for (int j = 0; j < pattern.vertices(); ++j)
      for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
        A(pattern.row[k], j) = A(j, pattern.row[k]) = values[k];
    ScalarFactor factor(pattern);
    ASSERT_TRUE(factor.factor(values));
    NodalField x(s.b.size());
    factor.solve(s.b, x);
    for (int c = 0; c < 3; ++c) {
      Eigen::VectorXd b(pattern.vertices());
      Eigen::VectorXd solution(pattern.vertices());
      for (int i = 0; i < pattern.vertices(); ++i) {
        b[i] = s.b[i][c];
        solution[i] = x[i][c];
      }
      EXPECT_LT((A * solution - b).norm(), 1e-12 * b.norm()) << factor.description();
    }
  }
}

TEST(Cholesky, ScalarFactorsOfBothLibrariesAgreeInBothPrecisions) {
  const System s(large_cells);
  const std::vector<double> values = s.scalar();
  for (const auto& [precision, tolerance] : {std::pair{Precision::full, 1e-12}, {Precision::single, 1e-5}}) {
    const auto ours = make_eigen_cholesky(*s.model.pattern(), 1, precision);
    const auto exact = make_cholesky(*s.model.pattern(), 1);
    ASSERT_TRUE(ours->factor(values) && exact->factor(values));
    NodalField x(s.b.size()), expected(s.b.size());
    ours->solve(s.b, x);
    exact->solve(s.b, expected);
    EXPECT_LT((flat(x) - flat(expected)).norm(), tolerance * flat(expected).norm()) << ours->description();
  }
}

/// Large enough for groups of subtrees and for top supernodes whose tiles are shared.
TEST(Cholesky, ScalarFactorGivesTheSameBitsForAnyNumberOfThreadsInBothPrecisions) {
  const System s({20, 20, 20});
  const std::vector<double> values = s.scalar();
  const BlockPattern& pattern = *s.model.pattern();
  for (const Precision precision : {Precision::full, Precision::single}) {
    ScalarFactor factor(pattern, precision);
    ASSERT_TRUE(factor.factor(values));
    NodalField first(s.b.size());
    for (const int count : {1, 2, 3}) {
      set_threads(count);
      NodalField x(s.b.size());
      factor.solve(s.b, x);
      if (count == 1) first = x;
      EXPECT_TRUE(same_bits(x, first)) << count << " threads";
    }
    NodalField rest = s.b;  // b - A x
    for (int j = 0; j < pattern.vertices(); ++j)
      for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
        const int i = pattern.row[k];
        rest[i] -= values[k] * first[j];
        if (i != j) rest[j] -= values[k] * first[i];
      }
    EXPECT_LT(flat(rest).norm(), (precision == Precision::full ? 1e-13 : 1e-5) * flat(s.b).norm());
  }
  set_threads(0);
}

TEST(Elimination, TakesEveryVertexOnceAndIsSharedByAllFactorsOverTheSameGraph) {
  const System s(large_cells);
  const System twin(large_cells);
  const long before = eliminations_found();
  const auto elimination = elimination_of(*s.model.pattern());
  EXPECT_EQ(eliminations_found(), before + 1);
  std::vector<int> sorted = elimination->order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < s.b.size(); ++i) ASSERT_EQ(sorted[i], static_cast<int>(i));
  EXPECT_EQ(elimination_of(*twin.model.pattern()), elimination);
  const ScalarFactor single(*s.model.pattern(), Precision::single);
  const ScalarFactor full(*twin.model.pattern(), Precision::full);
  for (const auto make : choleskys()) make(*twin.model.pattern(), 3);
  EXPECT_EQ(eliminations_found(), before + 1);
  EXPECT_NE(elimination_of(*System(small_cells).model.pattern()), elimination);
}

#ifdef BRIO_WITH_GPL
TEST(Cholesky, LibrariesStartNoThreadsOfTheirOwn) {
  const auto running = [] {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return std::distance(begin(tasks), end(tasks));
  };
  const System s({30, 10, 10});  // large enough for CHOLMOD to ask for four
  set_threads(1);
  const auto before = running();
  const auto cholesky = make_cholmod_cholesky(*s.model.pattern(), 3, Precision::full);
  ASSERT_TRUE(cholesky->factor(s.A->values()));
  NodalField x(s.b.size());
  cholesky->solve(s.b, x);
  EXPECT_EQ(running(), before);
  set_threads(0);
}
#endif

TEST(LinearSolvers, GiveTheSameBitsForAnyNumberOfThreads) {
  const System s({24, 12, 12});  // more than one chunk of vertices
  for (const LinearChoice name : {LinearChoice::direct, LinearChoice::pcg}) {
    NodalField first;
    for (const int count : {1, 2, 3}) {
      set_threads(count);
      const auto solver = make_linear_solver(name, s.model.pattern());
      ASSERT_TRUE(solver->factor(*s.A));
      NodalField x(s.b.size());
      EXPECT_TRUE(solver->solve(s.b, x, 1e-6).solved);
      if (count == 1) first = x;
      EXPECT_TRUE(same_bits(x, first)) << name << " with " << count << " threads";
    }
  }
  set_threads(0);
}

TEST(Pcg, MultipliesByBothTrianglesAndSolvesToItsTolerance) {
  const System s(large_cells);
  PcgSolver pcg(s.model.pattern());
  ASSERT_TRUE(pcg.factor(*s.A));
  NodalField y(s.b.size());
  pcg.multiply(s.b, y);
  EXPECT_LT((to_eigen(*s.A) * flat(s.b) - flat(y)).norm(), 1e-13 * flat(y).norm());
  NodalField x(s.b.size());
  const LinearReport loose = pcg.solve(s.b, x, 1e-3);
  EXPECT_LT(residual(s, x), 1e-2);
  const LinearReport tight = pcg.solve(s.b, x, 1e-12);
  EXPECT_LT(residual(s, x), 1e-10);
  EXPECT_TRUE(loose.solved && tight.solved);
  EXPECT_GT(tight.iterations, loose.iterations);
}

TEST(Pcg, NeedsFarFewerIterationsWithTheScalarFactor) {
  const System s({24, 12, 12});
  PcgSolver pcg(s.model.pattern());
  ASSERT_TRUE(pcg.factor(*s.A));
  NodalField x(s.b.size());
  const int plain = pcg.solve(s.b, x, 1e-8).iterations;
  ScalarFactor scalar(*s.model.pattern(), Precision::single);
  ASSERT_TRUE(scalar.factor(s.scalar()));
  pcg.precondition(&scalar);
  ASSERT_TRUE(pcg.factor(*s.A));
  const LinearReport report = pcg.solve(s.b, x, 1e-8);
  EXPECT_TRUE(report.solved);
  EXPECT_LT(residual(s, x), 1e-6);
  EXPECT_LT(3 * report.iterations, plain);
}

TEST(Pcg, FindsADescentDirectionWhereTheMatrixIsIndefinite) {
  System s(small_cells);
  s.add_to_diagonal(-100);  // diagonal blocks stay positive
  PcgSolver pcg(s.model.pattern());
  ASSERT_TRUE(pcg.factor(*s.A));
  NodalField x(s.b.size());
  EXPECT_FALSE(pcg.solve(s.b, x, 1e-12).solved);
  EXPECT_GT(flat(s.b).dot(flat(x)), 0);
}

TEST(LinearSolvers, SayWhatWasChosenAndRefuseUnknownNames) {
  const System s(small_cells);
  EXPECT_EQ(std::string(make_linear_solver(LinearChoice::automatic, s.model.pattern())->description()),
            std::string(make_linear_solver(LinearChoice::direct, s.model.pattern())->description()) +
                " (auto: few vertices)");
}

TEST(LinearSolvers, SayWhatTheyAreInWordsThatOutliveThem) {
  const System s(large_cells);
  for (const LinearChoice name : {LinearChoice::automatic, LinearChoice::direct, LinearChoice::pcg}) {
    const char* words = nullptr;
    std::string then;
    {
      const auto solver = make_linear_solver(name, s.model.pattern());
      words = solver->description();
      then = words;
    }
    EXPECT_EQ(then, words) << name;
    EXPECT_EQ(words, make_linear_solver(name, s.model.pattern())->description()) << name;
  }
}

TEST(Pcg, SeesThatAMatrixWithANegativeDiagonalIsIndefinite) {
  System s(small_cells);
  ScalarFactor scalar(*s.model.pattern(), Precision::single);
  ASSERT_TRUE(scalar.factor(s.scalar()));
  PcgSolver pcg(s.model.pattern());
  pcg.precondition(&scalar);
  EXPECT_TRUE(pcg.factor(*s.A));
  s.A->block(s.model.pattern()->column_start[7])[4] = -1;
  EXPECT_FALSE(pcg.factor(*s.A));
}

/// With so poor a preconditioner conjugate gradients give up; the factorization that follows then fails, and the solver
/// must say so and be as good as before for the next matrix.
TEST(AutoSolver, IsNotStuckWithAFactorizationThatFailed) {
  System s(large_cells);
  ScalarFactor poor(*s.model.pattern(), Precision::single);
  std::vector<double> values = s.scalar();
  for (int j = 0; j < s.model.pattern()->vertices(); ++j)
    values[s.model.pattern()->column_start[j]] += j % 2 == 0 ? 1e9 : 1;
  ASSERT_TRUE(poor.factor(values));
  const auto solver = make_linear_solver(LinearChoice::automatic, s.model.pattern());
  solver->precondition(&poor);
  NodalField x(s.b.size());
  double shift = 0;
  LinearReport report;
  for (double next = -50; !report.indefinite && next > -1e3; next -= 10) {
    s.add_to_diagonal(next - shift);
    shift = next;
    solver->precondition(&poor);
    ASSERT_TRUE(solver->factor(*s.A));
    report = solver->solve(s.b, x, 1e-12);
    EXPECT_NE(report.indefinite, report.solved);
    if (report.indefinite) {  // the same matrix again, as for further right-hand sides
      EXPECT_FALSE(solver->solve(s.b, x, 1e-12).solved);
    }
  }
  EXPECT_TRUE(report.indefinite);
  s.add_to_diagonal(-shift);
  ASSERT_TRUE(solver->factor(*s.A));
  ASSERT_TRUE(solver->solve(s.b, x, 1e-10).solved);
  EXPECT_LT(residual(s, x), 1e-6);
}

}  // namespace brio
