#include "solvers/local_global.h"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <functional>
#include <map>

#include "solvers/linear/scalar_factor.h"
#include "solvers/testing.h"

namespace brio {
using namespace testing;
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, 3>;

Rows rows_of(const NodalField& x) {
  Rows rows(x.size(), 3);
  for (std::size_t i = 0; i < x.size(); ++i) rows.row(static_cast<Eigen::Index>(i)) = x[i].transpose();
  return rows;
}

/// Projective Dynamics as it is written: G, w and a projection per element, L = Σ w GᵀG, J p = Σ w Gᵀ p.
struct Element {
  std::vector<int> vertices;
  Eigen::MatrixXd G;  ///< one column per vertex
  double w;
  std::function<Eigen::MatrixXd(const Eigen::MatrixXd&)> project;  ///< of G x, rows of three
};

std::vector<Element> elements_of(const Model& model, double mu) {
  std::vector<Element> all;
  const NodalField& rest = model.rest();
  for (const Tet& t : model.bodies()[0].mesh.tets) {
    Eigen::Matrix3d edges;
    for (int a = 0; a < 3; ++a) edges.col(a) = rest[t[a + 1]] - rest[t[0]];
    const Eigen::Matrix3d inverse = edges.inverse();
    Eigen::MatrixXd G(3, 4);  // G x = Fᵀ
    G.rightCols(3) = inverse.transpose();
    G.col(0) = -G.rightCols(3).rowwise().sum();
    all.push_back(
        {{t[0], t[1], t[2], t[3]}, G, 2 * mu * std::abs(edges.determinant()) / 6, [](const Eigen::MatrixXd& Ft) {
           const Eigen::JacobiSVD<Eigen::MatrixXd> svd(Ft, Eigen::ComputeFullU | Eigen::ComputeFullV);
           Eigen::Matrix3d U = svd.matrixU();
           if ((U * svd.matrixV().transpose()).determinant() < 0) U.col(2) *= -1;
           return Eigen::MatrixXd(U * svd.matrixV().transpose());
         }});
  }
  const int first = model.bodies()[1].first_vertex;
  for (const Spring& spring : cloth_springs(cloth_options())) {
    const int a = first + spring.ends[0];
    const int b = first + spring.ends[1];
    const double r = (rest[b] - rest[a]).norm();
    all.push_back({{a, b}, Eigen::RowVector2d(-1, 1), spring.stiffness, [r](const Eigen::MatrixXd& d) {
                     return Eigen::MatrixXd(r / d.norm() * d);
                   }});
  }
  const auto attach = [&](int vertex, const Vec3& point, double k, double r) {
    all.push_back({{vertex}, Eigen::MatrixXd::Ones(1, 1), k, [point, r](const Eigen::MatrixXd& x) {
                     const Eigen::RowVector3d arm = x - point.transpose();
                     return Eigen::MatrixXd(point.transpose() + r / arm.norm() * arm);
                   }});
  };
  attach(4, {1.2, 0.1, 0}, 200, 0);
  attach(first + 2, {0.3, 0.4, 0.1}, 100, 0.2);
  return all;
}

/// (M/h² + Σ c θ² L) x = M y/h² + Σ c θ (J p - (1-θ) L x_n), pinned vertices held.
Rows literal_iteration(const Step& step, const std::vector<Element>& elements, const std::vector<Term>& terms,
                       const Rows& x) {
  const auto n = static_cast<Eigen::Index>(step.model.vertices());
  const Rows x_n = rows_of(step.x_n);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
  Rows b = Rows::Zero(n, 3);
  double weight = 0;
  for (const Term& term : terms) weight += term.c * term.theta;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double m = step.model.mass()[i];
    A(i, i) += m / (step.h * step.h);
    b.row(i) += m / (step.h * step.h) * step.y[i].transpose() + m * weight * step.model.gravity().transpose();
  }
  for (const Term& term : terms)
    for (const Element& e : elements) {
      const auto k = static_cast<Eigen::Index>(e.vertices.size());
      Rows at(k, 3);
      Rows start(k, 3);
      for (Eigen::Index a = 0; a < k; ++a) {
        at.row(a) = term.theta * x.row(e.vertices[a]) + (1 - term.theta) * x_n.row(e.vertices[a]);
        start.row(a) = x_n.row(e.vertices[a]);
      }
      const Eigen::MatrixXd L = e.w * e.G.transpose() * e.G;
      const Rows right =
          term.c * term.theta * (e.w * e.G.transpose() * e.project(e.G * at) - (1 - term.theta) * L * start);
      for (Eigen::Index a = 0; a < k; ++a) {
        b.row(e.vertices[a]) += right.row(a);
        for (Eigen::Index c = 0; c < k; ++c)
          A(e.vertices[a], e.vertices[c]) += term.c * term.theta * term.theta * L(a, c);
      }
    }
  for (Eigen::Index i = 0; i < n; ++i) {
    if (step.model.pinned()[i] == 0) continue;
    b -= A.col(i) * x.row(i);
    A.row(i).setZero();
    A.col(i).setZero();
    A(i, i) = 1;
    b.row(i) = x.row(i);
  }
  return A.ldlt().solve(b);
}

}  // namespace

TEST(LocalGlobal, IteratesAreThoseOfProjectiveDynamicsAsWritten) {
  const Model model = bar_and_cloth(projective());
  const auto elements = elements_of(model, projective().mu);
  for (const auto& [name, terms] : declarations()) {
    Step step(model, 0.03);
    step.declare(terms);
    LocalGlobal one({.tolerance = 1e-15, .iterations = 1});
    NodalField x = step.x_n;
    for (int iteration = 0; iteration < 4; ++iteration) {
      const Rows expected = literal_iteration(step, elements, terms, rows_of(x));
      const NodalField before = x;
      one.solve(step.objective, x);
      EXPECT_LT((rows_of(x) - expected).cwiseAbs().maxCoeff(), 1e-12) << name << ", iteration " << iteration;
      EXPECT_GT(distance(x, before), 1e-6) << name;
    }
  }
}

TEST(LocalGlobal, FactorsOfSinglePrecisionCorrectThemselves) {
  Model model;  // large enough for tiles
  model.add(SolidOptions{.mesh = make_bar({.cells = {16, 6, 6}}), .material = projective(), .density = 100});
  const std::vector<Term> terms{{1, 1}};
  Step step(model, 0.03);
  step.declare(terms);
  std::vector<double> values(model.pattern()->blocks());
  step.objective.laplacian(values);
  ScalarFactor full(*model.pattern(), Precision::full);
  ASSERT_TRUE(full.factor(values));
  LocalGlobal one({.tolerance = 1e-15, .iterations = 1});
  NodalField x = step.x_n;
  NodalField exact = step.x_n;
  NodalField g(x.size());
  for (int iteration = 0; iteration < 10; ++iteration) {
    one.solve(step.objective, x);
    step.objective.gradient(exact, g);
    full.solve(g, g);
    for (std::size_t i = 0; i < x.size(); ++i) exact[i] -= g[i];
    EXPECT_LT(distance(x, exact), 1e-8) << iteration;
  }
#ifdef BRIO_WITH_GPL
  EXPECT_GT(distance(x, exact), 0);  // single precision it was
#endif
}

TEST(LocalGlobal, AccelerationsNeedFewerIterations) {
  const Model model = bar_and_cloth(projective());
  for (const auto& [name, terms] : declarations()) {
    std::map<std::string, int> iterations;
    for (const Acceleration acceleration : {Acceleration::none, Acceleration::chebyshev, Acceleration::anderson}) {
      Step step(model, 0.03);
      step.declare(terms);
      NodalField x = step.y;
      const SolveReport report =
          LocalGlobal({.tolerance = 1e-8, .iterations = 5000, .acceleration = acceleration, .rho = 0.9})
              .solve(step.objective, x);
      EXPECT_TRUE(report.converged()) << name << ' ' << acceleration << ": " << report.message;
      iterations[to_string(acceleration)] = report.iterations;
    }
    EXPECT_LT(iterations["chebyshev"], 0.8 * iterations["none"]) << name;
    EXPECT_LT(iterations["anderson"], 0.5 * iterations["none"]) << name;
  }
}

TEST(LocalGlobal, DoesTenIterationsAndSaysThatItStoppedThere) {
  const Model model = bar_and_cloth(projective());
  Step step(model, 0.03);
  step.declare(declarations()[0].terms);
  NodalField x = step.y;
  const SolveReport report = LocalGlobal({}).solve(step.objective, x);
  EXPECT_EQ(report.iterations, 10);
  EXPECT_EQ(report.status, SolveReport::Status::unconverged);
  EXPECT_FALSE(report.message.empty());
  NodalField g(x.size());
  step.objective.gradient(x, g);
  EXPECT_DOUBLE_EQ(report.residual, step.objective.relative(step.objective.norm(g)));
}

TEST(LocalGlobal, KeepsTheFactorsOfStepsThatAlternate) {
  const Model model = bar_and_cloth(projective());
  Step step(model, 0.03);
  LocalGlobal solver({});
  int factorizations = 0;
  for (int i = 0; i < 6; ++i) {
    step.declare(declarations()[i % 2].terms);
    NodalField x = step.y;
    factorizations += solver.solve(step.objective, x).factorizations;
  }
  EXPECT_EQ(factorizations, 2);
}

/// Also where the fixed metric does not bound the curvature: nearly incompressible, or with a barrier.
TEST(LocalGlobal, NeverRaisesTheObjective) {
  for (const Material& material :
       {projective(), Material{.name = "corotated", .mu = 4e3, .lambda = 8e4},
        Material{.name = "stvk", .mu = 4e3, .lambda = 6e3}, Material{.name = "neo-hookean", .mu = 4e3, .lambda = 6e4}})
    for (const Acceleration acceleration : {Acceleration::none, Acceleration::chebyshev, Acceleration::anderson}) {
      const Model model = bar_and_cloth(material);
      Step step(model, 0.05);
      step.declare(declarations()[0].terms);
      NodalField x = step.x_n;
      double phi = step.objective.value(x);
      for (const int iterations : {1, 2, 4, 8, 16}) {
        x = step.x_n;
        LocalGlobal({.iterations = iterations, .acceleration = acceleration, .rho = 0.999}).solve(step.objective, x);
        const double next = step.objective.value(x);
        EXPECT_LT(next, phi) << material.name << ' ' << acceleration << ' ' << iterations;
        phi = next;
      }
    }
}

}  // namespace brio
