#include "bench/straightforward_solvers.h"

#include <algorithm>
#include <cmath>

namespace brio::bench {
namespace {

double dot(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].dot(b[i]);
  return sum;
}

void add(std::vector<Vec3>& to, double factor, const std::vector<Vec3>& what) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * what[i];
}

}  // namespace

double PlainStep::gradient(const std::vector<Vec3>& x, std::vector<Vec3>& g, std::vector<Matrix12>* hessians) const {
  std::fill(g.begin(), g.end(), Vec3::Zero());
  double phi = tets.empty() ? 0 : straightforward(material, tets, x, g, hessians);
  for (const PlainSpring& s : springs) {
    const Vec3 d = x[s.b] - x[s.a];
    const double length = d.norm();
    const Vec3 force = s.stiffness * (1 - s.rest / length) * d;
    phi += 0.5 * s.stiffness * (length - s.rest) * (length - s.rest);
    g[s.a] -= force;
    g[s.b] += force;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (pinned[i] != 0) {
      g[i].setZero();
      continue;
    }
    const Vec3 d = x[i] - y[i];
    g[i] += mass[i] / (h * h) * d;
    phi += 0.5 * mass[i] / (h * h) * d.squaredNorm();
  }
  return phi;
}

double PlainStep::norm(const std::vector<Vec3>& g) const {
  double sum = 0;
  for (std::size_t i = 0; i < g.size(); ++i) sum += g[i].squaredNorm() / mass[i];
  return std::sqrt(sum);
}

PlainSolver::PlainSolver(PlainStep step) : step_(std::move(step)), g_(step_.mass.size()), element_(step_.tets.size()) {
  factor_laplacian();
}

void PlainSolver::factor_laplacian() {
  const auto n = static_cast<Eigen::Index>(step_.mass.size());
  std::vector<Eigen::Triplet<double>> triplets;
  const auto couple = [&](int i, int j, double value) {
    if (i >= j && (i == j || (step_.pinned[i] == 0 && step_.pinned[j] == 0))) triplets.emplace_back(i, j, value);
  };
  for (int i = 0; i < n; ++i) triplets.emplace_back(i, i, step_.mass[i] / (step_.h * step_.h));
  for (const ReferenceTet& t : step_.tets) {
    Eigen::Matrix<double, 4, 3> b;
    b.bottomRows<3>() = t.inverse;
    b.row(0) = -t.inverse.colwise().sum();
    const Eigen::Matrix4d L = (2 * step_.material.mu + step_.material.lambda) * t.volume * b * b.transpose();
    for (int a = 0; a < 4; ++a)
      for (int c = 0; c < 4; ++c) couple(t.vertices[a], t.vertices[c], L(a, c));
  }
  for (const PlainSpring& s : step_.springs) {
    couple(s.a, s.a, s.stiffness);
    couple(s.b, s.b, s.stiffness);
    couple(std::max(s.a, s.b), std::min(s.a, s.b), -s.stiffness);
  }
  Eigen::SparseMatrix<double> A(n, n);
  A.setFromTriplets(triplets.begin(), triplets.end());
  laplacian_factor_.compute(A);
}

void PlainSolver::descend(const std::vector<Vec3>& g, std::vector<Vec3>& d) const {
  Eigen::MatrixXd b(g.size(), 3);
  for (std::size_t i = 0; i < g.size(); ++i) b.row(static_cast<Eigen::Index>(i)) = -g[i].transpose();
  const Eigen::MatrixXd x = laplacian_factor_.solve(b);
  for (std::size_t i = 0; i < g.size(); ++i) d[i] = x.row(static_cast<Eigen::Index>(i)).transpose();
}

double PlainSolver::search(std::vector<Vec3>& x, std::vector<Vec3>& g, const std::vector<Vec3>& d, double phi) {
  const double slope = dot(g, d);
  const std::vector<Vec3> start = x;
  double value = phi;
  for (double step = 1; step > 1e-6; step /= 2) {
    x = start;
    add(x, step, d);
    value = step_.gradient(x, g, nullptr);
    if (value <= phi + 1e-4 * step * slope) break;
  }
  return value;
}

const Eigen::SparseMatrix<double>& PlainSolver::hessian(const std::vector<Vec3>& x) {
  step_.gradient(x, g_, &element_);
  triplets_.clear();
  for (std::size_t e = 0; e < step_.tets.size(); ++e)
    for (int a = 0; a < 12; ++a)
      for (int b = 0; b <= a; ++b) {
        const int va = step_.tets[e].vertices[a / 3];
        const int vb = step_.tets[e].vertices[b / 3];
        if (step_.pinned[va] != 0 || step_.pinned[vb] != 0) continue;
        const int i = 3 * va + a % 3;
        const int j = 3 * vb + b % 3;
        triplets_.emplace_back(std::max(i, j), std::min(i, j), element_[e](a, b));
      }
  for (std::size_t i = 0; i < 3 * x.size(); ++i)
    triplets_.emplace_back(static_cast<int>(i), static_cast<int>(i), step_.mass[i / 3] / (step_.h * step_.h));
  const auto n = static_cast<Eigen::Index>(3 * x.size());
  H_.resize(n, n);
  H_.setFromTriplets(triplets_.begin(), triplets_.end());
  return H_;
}

int PlainSolver::newton(std::vector<Vec3>& x, double goal) {
  double phi = step_.gradient(x, g_, nullptr);
  int iterations = 0;
  for (; step_.norm(g_) > goal && iterations < 100; ++iterations) {
    hessian(x);
    if (!analyzed_) newton_factor_.analyzePattern(H_);
    analyzed_ = true;
    newton_factor_.factorize(H_);
    const Eigen::VectorXd direction =
        newton_factor_.solve(-Eigen::Map<const Eigen::VectorXd>(g_.front().data(), H_.rows()));
    std::vector<Vec3> d(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) d[i] = direction.segment<3>(static_cast<Eigen::Index>(3 * i));
    phi = search(x, g_, d, phi);
  }
  return iterations;
}

void PlainSolver::local_global(std::vector<Vec3>& x, int iterations) {
  std::vector<Vec3> d(x.size());
  for (int k = 0; k < iterations; ++k) {
    step_.gradient(x, g_, nullptr);
    descend(g_, d);
    add(x, 1, d);
  }
}

int PlainSolver::lbfgs(std::vector<Vec3>& x, double goal, int window) {
  struct Pair {
    std::vector<Vec3> s, y;
    double sy;
  };
  std::vector<Pair> pairs;
  std::vector<double> alpha(window);
  std::vector<Vec3> d(x.size());
  double phi = step_.gradient(x, g_, nullptr);
  int iterations = 0;
  for (; step_.norm(g_) > goal && iterations < 1000; ++iterations) {
    std::vector<Vec3> q = g_;
    for (std::size_t k = pairs.size(); k-- > 0;) {
      alpha[k] = dot(pairs[k].s, q) / pairs[k].sy;
      add(q, -alpha[k], pairs[k].y);
    }
    descend(q, d);
    for (std::size_t k = 0; k < pairs.size(); ++k) add(d, -alpha[k] - dot(pairs[k].y, d) / pairs[k].sy, pairs[k].s);
    Pair pair{.s = x, .y = g_, .sy = 0};
    phi = search(x, g_, d, phi);
    for (std::size_t i = 0; i < x.size(); ++i) {
      pair.s[i] = x[i] - pair.s[i];
      pair.y[i] = g_[i] - pair.y[i];
    }
    pair.sy = dot(pair.s, pair.y);
    if (pair.sy <= 0) continue;
    if (static_cast<int>(pairs.size()) == window) pairs.erase(pairs.begin());
    pairs.push_back(std::move(pair));
  }
  return iterations;
}

}  // namespace brio::bench
