/// Means of forces along straight paths: what makes steps of avf exact in energy.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "energies_under_test.h"
#include "shape_pairs.h"

namespace brio {
using namespace testing;

namespace {

bool is_averaged(const Energy& energy) { return energy.takes_mean(Averaging::adaptive); }

Moment along(const NodalField& from) { return {.x_n = &from, .mean = true}; }

/// As an objective does at an iterate of a solver.
Eigen::VectorXd refined_gradient(const Energy& energy, const Pair& pair, double tolerance) {
  const Configuration mean{pair.to, along(pair.from)};
  energy.begin_path(pair.from);
  NodalField g(pair.to.size());
  energy.gradient(mean, {}, g);
  energy.refine_path(mean, tolerance, g);
  return gradient_of(energy, mean);
}

}  // namespace

TEST(PathMeans, WorkIsTheGainOfEnergyToRoundingForEveryEnergyBetweenAnyShapes) {
  const Mesh mesh = small_block();
  const NodalField rest = field(mesh.vertices);
  int tested = 0;
  for (auto& [name, energy, barrier, floating, has_rest] : all_energies(mesh, rest)) {
    if (!is_averaged(*energy)) continue;
    double worst = 0, unrefined = 0;
    for (const Pair& pair : pairs(rest, barrier)) {
      const double before = energy->value(pair.from), after = energy->value(pair.to);
      const Eigen::VectorXd d = flat(pair.to) - flat(pair.from);
      energy->begin_path(pair.from);
      const double scale = before + after;
      const double coarse = 2 * gradient_of(*energy, {pair.to, along(pair.from)}).dot(d);
      const double work = 2 * refined_gradient(*energy, pair, 1e-3).dot(d);
      EXPECT_LT(std::abs(work - (after - before)), 1e-12 * scale + 1e-14) << name << ", " << pair.name;
      worst = std::max(worst, std::abs(work - (after - before)) / scale);
      unrefined = std::max(unrefined, std::abs(coarse - (after - before)) / scale);
      ++tested;
    }
    std::printf("%-24s work against gain of energy: %.1e, with three points %.1e\n", name.c_str(), worst, unrefined);
  }
  EXPECT_GT(tested, 100);
}

TEST(PathMeans, DerivativesAreThoseOfTheValueWhileCorrectionsAreHeld) {
  const Mesh mesh = small_block();
  const NodalField rest = field(mesh.vertices);
  for (auto& [name, energy, barrier, floating, has_rest] : all_energies(mesh, rest)) {
    if (!is_averaged(*energy)) continue;
    for (const Pair& pair : pairs(rest, barrier)) {
      if (pair.name.find("flat") != std::string::npos || pair.name.find("inverted") != std::string::npos)
        continue;  // differences would span what is not smooth
      const Eigen::VectorXd g = refined_gradient(*energy, pair, 1e-3);
      const Eigen::MatrixXd H = hessian_of(*energy, {pair.to, along(pair.from)}, Projection::none);
      Eigen::VectorXd slope(g.size());
      Eigen::MatrixXd curvature(g.size(), g.size());
      for (Eigen::Index k = 0; k < g.size(); ++k) {
        slope[k] = difference(pair.to, k, 2e-5, [&](const NodalField& x) {
          return energy->value({x, along(pair.from)});
        });
        curvature.col(k) = difference(pair.to, k, 2e-5, [&](const NodalField& x) {
          return gradient_of(*energy, {x, along(pair.from)});
        });
      }
      EXPECT_LT((g - slope).norm(), 1e-8 * (1 + g.norm())) << name << ", " << pair.name;
      EXPECT_LT((H - curvature).norm(), 1e-7 * H.norm()) << name << ", " << pair.name;
      const Eigen::MatrixXd psd = hessian_of(*energy, {pair.to, along(pair.from)}, Projection::psd);
      EXPECT_GT(psd.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff(), -1e-9 * psd.norm())
          << name << ", " << pair.name;
    }
  }
}

TEST(PathMeans, AreInfiniteWhereThePathLeavesTheDomainBetweenEndsThatAreWithin) {
  const Mesh mesh = small_block();
  const NodalField rest = field(mesh.vertices);
  // Half a turn in a straight line passes through a point.
  const NodalField turned = moved(rest, rotation(3.14159, {0, 0, 1}), Vec3::Zero());
  for (auto& [name, energy, barrier, floating, has_rest] : all_energies(mesh, rest)) {
    if (!barrier) continue;
    energy->begin_path(rest);
    EXPECT_TRUE(std::isfinite(energy->value(turned))) << name;
    EXPECT_TRUE(std::isinf(energy->value({turned, along(rest)}))) << name;
  }
}

}  // namespace brio
