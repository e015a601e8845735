/// How large a step may be, from the spectrum of the model.
#include "integrators/stable_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "brio/energy.h"
#include "math/block_matrix.h"
#include "math/nodal_ops.h"

namespace brio {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// M⁻¹K of a model at x on the vertices that are free, where K is the exact Hessian.
class Stiffness {
 public:
  Stiffness(const Model& model, const NodalField& x) : model_(model), K_(model.pattern()) {
    NodalField g(model.vertices());
    K_.set_zero();
    for (const auto& energy : model.energies()) energy->hessian(x, {}, Projection::none, g, K_);
  }

  /// u <- M⁻¹K u, for u that vanishes at pinned vertices.
  void apply(const NodalField& u, NodalField& result) const {
    using Block = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;
    const BlockPattern& pattern = K_.pattern();
    result.set_zero();
    for (int column = 0; column < pattern.vertices(); ++column)
      for (int k = pattern.column_start[column]; k < pattern.column_start[column + 1]; ++k) {
        const Block block(K_.block(k));
        const int row = pattern.row[k];
        result[row] += block * u[column];
        if (row != column) result[column] += block.transpose() * u[row];
      }
    add_loose_product(K_, u, result);
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] /= model_.mass()[i];
      if (model_.pinned()[i] != 0) result[i].setZero();
    }
  }

  /// The eigenvalue of M⁻¹K + shift that is largest in magnitude, less the shift.
  double dominant(double shift, int max_iterations) const {
    constexpr double accuracy = 1e-7;  // of the change per iteration; the eigenvalue may be a hundred times worse
    const std::size_t count = model_.vertices();
    NodalField u(count), next(count);
    for (std::size_t i = 0; i < count; ++i)  // in no eigenspace's complement: a fixed, irregular start
      if (model_.pinned()[i] == 0)
        for (int c = 0; c < 3; ++c) u[i][c] = std::sin(1.0 + 12.9898 * static_cast<double>(3 * i + c));
    const auto inner = [&](const NodalField& a, const NodalField& b) {
      return sum_(count, [&](std::size_t i) { return model_.mass()[i] * a[i].dot(b[i]); });
    };
    double value = 0;
    for (int iteration = 0; iteration < max_iterations; ++iteration) {
      const double size = std::sqrt(inner(u, u));
      if (!(size > 0) || !std::isfinite(size)) return 0;
      for_vertices(count, [&](std::size_t i) { u[i] /= size; });
      apply(u, next);
      for_vertices(count, [&](std::size_t i) { next[i] += shift * u[i]; });
      const double before = value;
      value = inner(u, next);
      if (iteration > 20 && std::abs(value - before) <= accuracy * std::abs(value - shift)) break;
      std::swap(u, next);
    }
    return value - shift;
  }

 private:
  const Model& model_;
  BlockMatrix K_;
  mutable NodalSum sum_;
};

/// A mass of 1 kg on a spring of 1 N/m: ω = 1 rad/s.
Model unit_oscillator() {
  Mesh mesh;
  mesh.vertices = {Vec3::Zero()};
  Model model;
  const BodyId body = model.add(ParticlesOptions{.mesh = mesh, .mass = 1});
  model.attach(body, {{.vertex = 0, .point = Vec3::Zero(), .stiffness = 1}});
  return model;
}

/// Of the matrix that carries (x, v) of the unit oscillator over one step; infinite when the step fails.
double spectral_radius(const Method& method, const IntegratorOptions& options, const Model& model, double h) {
  Eigen::Matrix2d transfer;
  for (int column = 0; column < 2; ++column) {
    State state = model.rest_state();
    (column == 0 ? state.x : state.v)[0][0] = 1;
    if (!make_integrator(method, options, model)->step(model, state, h).ok()) return infinity;
    transfer.col(column) << state.x[0][0], state.v[0][0];
  }
  const double half_trace = 0.5 * (transfer(0, 0) + transfer(1, 1));
  const double det = transfer(0, 0) * transfer(1, 1) - transfer(0, 1) * transfer(1, 0);
  const double half_difference = 0.5 * (transfer(0, 0) - transfer(1, 1));
  const double discriminant = half_difference * half_difference + transfer(0, 1) * transfer(1, 0);
  return discriminant < 0 ? std::sqrt(det) : std::abs(half_trace) + std::sqrt(discriminant);
}

}  // namespace

namespace {

double frequency(const Model& model, const NodalField& x, int max_iterations) {
  const Stiffness stiffness(model, x);
  double value = stiffness.dominant(0, max_iterations);
  // Where shapes are compressed a negative eigenvalue may dominate; shifted by it, all are positive.
  if (value < 0) value = stiffness.dominant(-value, max_iterations);
  return std::sqrt(std::max(value, 0.0));
}

double bearable_step(double limit, double omega) { return omega > 0 ? limit / omega : infinity; }

}  // namespace

double highest_frequency(const Model& model, const NodalField& x) {
  constexpr int max_iterations = 5000;
  return frequency(model, x, max_iterations);
}

double stability_limit(const Method& method, const IntegratorOptions& options) {
  // These have no transfer matrix, being nonlinear even here, and no limit.
  if (method.energy == EnergyBehavior::kept || method.energy == EnergyBehavior::tracked) return infinity;
  constexpr double first = 0.02, ratio = 1.02, last = 1e3;  // of hω
  const Model model = unit_oscillator();
  const auto stable = [&](double h) { return spectral_radius(method, options, model, h) <= 1 + 1e-9; };
  if (!stable(first)) return 0;
  double low = first;
  while (low < last && stable(low * ratio)) low *= ratio;
  if (low >= last) return infinity;
  double high = low * ratio;
  while (high - low > 1e-12 * high) (stable((low + high) / 2) ? low : high) = (low + high) / 2;
  return low;
}

double max_stable_step(const Method& method, const IntegratorOptions& options, const Model& model,
                       const NodalField& x) {
  const double limit = stability_limit(method, options);
  if (limit == 0 || limit == infinity) return limit;
  return bearable_step(limit, highest_frequency(model, x));
}

double surely_unstable_step(const Method& method, const IntegratorOptions& options, const Model& model,
                            const NodalField& x, int iterations) {
  const double limit = stability_limit(method, options);
  return limit == 0 || limit == infinity ? infinity : bearable_step(limit, frequency(model, x, iterations));
}

}  // namespace brio
