/// Models, declarations and a reference for tests of solvers.
#pragma once

#include <Eigen/Dense>
#include <random>

#include "math/block_matrix.h"
#include "model/cloth_springs.h"
#include "objective/step_objective.h"
#include "solvers/solver.h"

namespace brio::testing {

struct Declaration {
  std::string name;
  std::vector<Term> terms;
};

inline const std::vector<Declaration>& declarations() {
  static const std::vector<Declaration> all{
      {"backward Euler", {{1, 1}}}, {"midpoint", {{1, 0.5}}}, {"average vector field", {{4.0 / 3, 0.5}, {1.0 / 6, 1}}}};
  return all;
}

inline const ClothOptions& cloth_options() {
  static const ClothOptions options{
      .mesh = make_sheet({.size = {1, 1}, .cells = {5, 4}}), .stretch = 300, .bend = 40, .mass = 0.3};
  return options;
}

/// A bar held at one end and by attachments, beside a cloth held by one: all energies projective when the material is.
inline Model bar_and_cloth(const Material& material) {
  Model model;
  const BodyId bar = model.add(SolidOptions{
      .mesh = make_bar({.size = {1, 0.4, 0.4}, .cells = {4, 2, 2}}), .material = material, .density = 100});
  const BodyId cloth = model.add(ClothOptions(cloth_options()));
  model.pin(bar, std::vector<int>{0, 5, 10});
  model.attach(bar, {{.vertex = 4, .point = {1.2, 0.1, 0}, .stiffness = 200}});
  model.attach(cloth, {{.vertex = 2, .point = {0.3, 0.4, 0.1}, .stiffness = 100, .rest_length = 0.2}});
  model.set_gravity({0, -9.81, 0});
  return model;
}

inline Material projective() { return {.name = "corotated", .mu = 4e3, .lambda = 0}; }

inline NodalField shaken(const NodalField& x, double size, unsigned seed, const std::vector<char>& pinned) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> offset(-size, size);
  NodalField result = x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec3 d(offset(random), offset(random), offset(random));
    if (pinned[i] == 0) result[i] += d;
  }
  return result;
}

/// A step of a moving model: x_n and y are not where it rests.
struct Step {
  const Model& model;
  StepObjective objective;
  NodalField x_n, y;
  double h;

  Step(const Model& m, double step)
      : model(m),
        objective(m),
        x_n(shaken(m.rest(), 0.03, 1, m.pinned())),
        y(shaken(x_n, 0.02, 2, m.pinned())),
        h(step) {}
  void declare(const std::vector<Term>& terms) { objective.declare(h, x_n, y, terms); }
};

inline double distance(const NodalField& a, const NodalField& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
  return most;
}

inline bool same_bits(const NodalField& a, const NodalField& b) {
  return std::equal(a.data(), a.data() + 4 * a.size(), b.data(), b.data() + 4 * b.size());
}

/// Newton with dense matrices: the positive part of each element's curvature until close, halved steps.
inline NodalField dense_newton(StepObjective& objective, NodalField x) {
  BlockMatrix H(objective.model().pattern());
  NodalField g(x.size());
  for (int iteration = 0; iteration < 200; ++iteration) {
    const double phi = objective.hessian(x, Projection::psd, g, H);
    if (objective.norm(g) <= objective.goal(1e-13)) return x;
    Eigen::VectorXd rhs(3 * x.size());
    for (std::size_t i = 0; i < x.size(); ++i) rhs.segment<3>(3 * static_cast<Eigen::Index>(i)) = -g[i];
    const Eigen::VectorXd d = Eigen::MatrixXd(to_eigen(H)).ldlt().solve(rhs);
    NodalField next = x;
    for (double step = 1; step > 1e-6; step /= 2) {
      for (std::size_t i = 0; i < x.size(); ++i) next[i] = x[i] + step * d.segment<3>(3 * static_cast<Eigen::Index>(i));
      if (objective.value(next) <= phi + 1e-13 * std::abs(phi)) break;
    }
    x = next;
  }
  return x;
}

}  // namespace brio::testing
