#include "model/damping.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "math/symmetric_eigen.h"
#include "model/body_checks.h"
#include "model/interaction.h"

namespace brio {
namespace {

/// What is left of the velocities of each body after its rigid motion v_cm + ω × r decays; then drag. [S1 eq. 31–36;
/// Müller et al. 2007]
///   Δv_i = v_i − (v_cm + ω × r_i),   v_i ← v_i − k Δv_i,   ω = I⁻¹L,   k = 1 − (1 − per_step) exp(−η h)
/// Momenta stay to round-off: Σ m Δv = 0 and Σ r × m Δv = 0. Points on a line have no inertia about it, so I⁻¹ is taken
/// without that direction. Departs: S1's eq. 32 lacks the parentheses; drag decays exponentially, of which S1's
/// v ← v − k h/m v is the beginning, so that no h is too long for it.
class VelocityDamping final : public Interaction {
 public:
  std::string name() const override { return "damping"; }
  std::unique_ptr<Interaction> clone() const override { return std::make_unique<VelocityDamping>(*this); }

  void end_step(const Model& model, const State&, State& state, const Clock& clock, Exchange& exchange) override {
    const double h = clock.h;
    const Damping& damping = model.damping();
    const double fraction = 1 - (1 - damping.per_step) * std::exp(-damping.relative * h);
    if (fraction == 0 && damping.drag == 0) return;
    const double before = model.kinetic_energy(state.v);
    if (fraction > 0)
      for (const Body& body : model.bodies()) damp_body(model, body, fraction, state);
    if (damping.drag > 0)
      for (std::size_t i = 0; i < model.vertices(); ++i)
        if (model.pinned()[i] == 0) state.v[i] *= std::exp(-damping.drag * h / model.mass()[i]);
    exchange.damping_loss += before - model.kinetic_energy(state.v);
    exchange.changed = true;
  }

 private:
  /// Pinned vertices take no part: what holds them is not of the body.
  static void damp_body(const Model& model, const Body& body, double fraction, State& state) {
    const auto first = static_cast<std::size_t>(body.first_vertex);
    const std::size_t last = first + body.mesh.vertices.size();
    const auto for_free = [&](auto work) {
      for (std::size_t i = first; i < last; ++i)
        if (model.pinned()[i] == 0) work(i, model.mass()[i]);
    };
    double mass = 0;
    Vec3 center = Vec3::Zero(), momentum = Vec3::Zero();
    for_free([&](std::size_t i, double m) {
      mass += m;
      center += m * state.x[i];
      momentum += m * state.v[i];
    });
    if (mass == 0) return;
    center /= mass;
    const Vec3 velocity = momentum / mass;
    Vec3 angular = Vec3::Zero();
    Mat3 inertia = Mat3::Zero();
    for_free([&](std::size_t i, double m) {
      const Vec3 r = state.x[i] - center;
      angular += m * r.cross(state.v[i] - velocity);
      inertia += m * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    });
    const SymmetricEigen<3> eigen(inertia);
    const double largest = std::max({eigen.value(0), eigen.value(1), eigen.value(2)});
    Vec3 spin = Vec3::Zero();
    for (int k = 0; k < 3; ++k)
      if (eigen.value(k) > 1e-12 * largest) spin += eigen.vector(k).dot(angular) / eigen.value(k) * eigen.vector(k);
    for_free([&](std::size_t i, double) {
      const Vec3 rigid = velocity + spin.cross(Vec3(state.x[i] - center));
      state.v[i] -= fraction * (state.v[i] - rigid);
    });
  }
};

}  // namespace

void add_velocity_damping(Model& model) {
  const bool there = std::ranges::any_of(
      model.interactions(), [](const auto& other) { return dynamic_cast<VelocityDamping*>(other.get()) != nullptr; });
  if (!there) model.add(std::make_unique<VelocityDamping>());
}

void Model::set_damping(const Damping& damping) {
  check_number("damping.strain", damping.strain, Bound::not_negative());
  check_number("damping.relative", damping.relative, Bound::not_negative());
  check_number("damping.per_step", damping.per_step, Bound::closed(0, 1));
  check_number("damping.drag", damping.drag, Bound::not_negative());
  check_number("damping.s0_mass", damping.s0_mass, Bound::not_negative());
  check_number("damping.s0_stiffness", damping.s0_stiffness, Bound::not_negative());
  damping_ = damping;
  pattern_.reset();  // integrators prepare anew
  if (damping.relative > 0 || damping.per_step > 0 || damping.drag > 0) add_velocity_damping(*this);
}

}  // namespace brio
