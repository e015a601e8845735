#include "torture/momenta.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace brio::torture {
namespace {

/// Of everything, about its center.
struct Whole {
  double mass = 0, extent = 0;  ///< [kg], from the center, and of coordinates [m]
  Vec3 center = Vec3::Zero();
  double far = 0;
};
Whole whole_of(const Model& model, const NodalField& x) {
  Whole out;
  for (std::size_t i = 0; i < model.vertices(); ++i) {
    out.mass += model.mass()[i];
    out.center += model.mass()[i] * x[i];
    out.far = std::max(out.far, x[i].cwiseAbs().maxCoeff());
  }
  out.center /= out.mass;
  for (std::size_t i = 0; i < model.vertices(); ++i) out.extent = std::max(out.extent, (x[i] - out.center).norm());
  return out;
}

}  // namespace

bool is_free(const std::string& text) {
  for (const char* word : {"[[collider]]", "pin = ", "attach = ", "push = ", "wind = ", "\"drag\"",
                           "constrain = ", "torsion_law = \"s2\"", "equilibrium"})
    if (text.find(word) != std::string::npos) return false;
  return true;
}

Vec3 center_of(const Model& model, const NodalField& x) { return whole_of(model, x).center; }

/// A solver that leaves unbalanced forces of `tolerance` times those in play, which store the energy in play at the
/// highest frequency, gives a step that much momentum; positions are rounded, and velocities follow from them.
Momenta stray_momenta(const Evidence& run, double energy_scale) {
  Momenta out;
  const Simulation& simulation = run.scene.simulation;
  const Method& method = simulation.method();
  if (!method.dynamic || !method.linear_momentum || !is_free(run.text)) return out;
  const Model& model = simulation.model();
  const Whole end = whole_of(model, simulation.state().x);
  const LedgerRow &first = run.rows.front(), &last = run.rows.back();
  double kinetic = 0, error = 0;
  for (const LedgerRow& row : run.rows) {
    kinetic = std::max(kinetic, row.kinetic);
    error = std::max(error, (row.linear - first.linear - end.mass * row.time * model.gravity()).norm());
  }
  const double steps = static_cast<double>(run.rows.size() - 1) * run.scene.steps_per_frame, h = simulation.h();
  const double in_play = std::sqrt(2 * kinetic * end.mass) + end.mass * last.time * model.gravity().norm();
  if (in_play == 0) return out;
  const double omega = highest_frequency(model, simulation.state().x);
  const double unbalanced = 10 * run.scene.options.options.solver.tolerance * steps * (1 + h * omega) *
                            std::sqrt(2 * end.mass * energy_scale);
  const double rounding =
      10 * std::numeric_limits<double>::epsilon() * steps * end.mass * end.far * (1 / h + h * omega * omega);
  const double limit = 1e-9 * in_play + rounding + (method.force_evaluations > 0 ? 0 : unbalanced);
  out.linear = std::max(0.0, error - rounding) / in_play;
  if (error > limit)
    out.broken = fmt::format("momentum changed by {:.1e} of what is in play, and should be kept", error / in_play);
  // About the center of mass, so that neither flight nor the place of the origin counts.
  const Vec3 change = last.angular - end.center.cross(last.linear) - (first.angular - run.center.cross(first.linear));
  const double arm = end.extent + end.far;
  out.angular = std::max(0.0, change.norm() - rounding * arm) / (in_play * arm);
  // Explicit methods take damping of strain from a shape ahead of theirs, which turns what moves.
  const bool turns = method.force_evaluations > 0 && model.damping().strain > 0;
  if (method.angular_momentum && !turns && out.broken.empty() && change.norm() > 10 * limit * arm)
    out.broken = fmt::format("angular momentum changed by {:.1e} of what is in play, and should be kept",
                             change.norm() / (in_play * arm));
  return out;
}

}  // namespace brio::torture
