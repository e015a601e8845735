/// Rayleigh's damping as [Rojas et al. 2018, eq. 13–16] has it: the force −D v' at the end of a step, D = ηM + δK with
/// K the elastic Hessian where the step starts, its elements made positive semi-definite. As v' is linear in x',
///   v' = rate (x' − still)/h,
/// it is the gradient of the quadratic E_damp = h/(2 rate) |v'|²_D in x'. (Their eq. 16 is that of rate = 2.)
///
/// It damps rigid rotation, since K of a stressed shape does not vanish there, and with η all motion: for comparison
/// with their figures. `Damping::strain` and `Damping::relative` leave rigid motion alone.
#pragma once

#include <memory>
#include <span>

#include "brio/energy.h"
#include "math/nodal_ops.h"
#include "objective/step_objective.h"

namespace brio {

class RayleighDamping final : public Energy {
 public:
  static bool acts_in(const Model& model) { return model.damping().s0_mass > 0 || model.damping().s0_stiffness > 0; }

  void prepare(const Model& model);
  /// Takes D where the step starts.
  void begin(const NodalField& x_n);
  /// How v' follows from x'.
  template <class Still>
  void set_velocity(double rate, Still still) {
    rate_ = rate;
    for_vertices(still_.size(), [&](std::size_t i) { still_[i] = still(i); });
  }
  /// Declares it for a step of h, in which forces move x' by weight h² M⁻¹ of them.
  void add_to(StepObjective& objective, double weight, double h);
  /// D v' for a step of h that ends at x [N].
  void force(const NodalField& x, double h, NodalField& Dv);

  std::string name() const override { return "rayleigh-s0"; }
  std::size_t elements() const override { return 1; }
  int force_degree() const override { return 1; }
  bool has_rest_shape() const override { return false; }
  double value(const Configuration& at) const override;
  double gradient(const Configuration& at, const Weights& weights, NodalField& g) const override;
  double hessian(const Configuration& at, const Weights& weights, Projection projection, NodalField& g,
                 BlockMatrix& H) const override;
  void laplacian(double, std::span<double>) const override {}  ///< the objective knows how stiff it is
  void couple(PatternBuilder&) const override {}               ///< the pattern is the model's
  void bind(const BlockPattern&) override {}
  void set_rest(const NodalField&) override {}
  std::unique_ptr<Energy> clone() const override { return nullptr; }  ///< belongs to its integrator

 private:
  /// product_ = D (x − still).
  void multiply_from_still(const NodalField& x) const;

  const Model* model_ = nullptr;
  std::unique_ptr<BlockMatrix> D_;  ///< [N s/m]
  NodalField still_;                ///< where the step would have to end at rest [m]
  double rate_ = 1;
  double scale_ = 1;  ///< of D in the energy
  mutable NodalField apart_, product_;
  mutable NodalSum sum_;
};

}  // namespace brio
