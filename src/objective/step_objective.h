/// One step of any implicit integrator as a minimization [J]:
///
///   Φ(x) = 1/(2h²) |x − y|²_M + Σ_q c_q E(θ_q x + (1 − θ_q) x_n) + Σ_d c_d W_d(θ_d x + (1 − θ_d) x_n)
///
/// E is the elastic energy of the model. Gravity is linear, so it is folded into y: y ← y + h² Σ c_q θ_q g. W_d are
/// further energies, such as S3's damping. Pinned vertices take no part: their gradient is zero, their rows and columns
/// are those of a unit matrix.
///
/// Some energies of contact forbid vertices to pass through things. An iterate at θ < 1 that has not passed says
/// nothing of x itself, where the objective has no barrier; where a step is so long that it ends beyond one, there may
/// be no minimum before it. `settle` then takes such energies at the end of the step, c = Σ c_q θ_q at θ = 1: the same
/// force to first order, at a loss of energy, with a minimum at any h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "brio/energy.h"
#include "brio/model.h"
#include "math/nodal_ops.h"

namespace brio {

/// The weight c of the energy, taken at θ x + (1 − θ) x_n.
struct Term {
  double c;
  double theta;
};

class StepObjective {
 public:
  explicit StepObjective(const Model& model);

  /// The next step. x_n must outlive it; y and terms are copied. Further energies are forgotten. `load` is a force that
  /// is held during the step [N]; like gravity it is folded into y. `time` is that of x_n and of x, for what is driven;
  /// pinned vertices of x are where the step's end has them.
  void declare(double h, const NodalField& x_n, const NodalField& y, std::span<const Term> terms,
               const NodalField* load = nullptr, const TimeStep& time = {});
  /// Another energy over the sparsity pattern of the model; it must outlive the step.
  void add(const Energy& energy, const Term& term);
  /// From now until the next step is declared: energies that limit the path are taken at the end of the step.
  void settle();
  bool settled() const { return settled_; }

  /// Energies that know the mean of their forces along the path from x_n (Energy::averages_path) are taken so, once,
  /// instead of at every term, until the next step is declared.
  void average_paths() { averages_ = true; }

  double value(const NodalField& x);
  double gradient(const NodalField& x, NodalField& g);  ///< sets g, returns the value
  /// Sets g and H, returns the value. H has the pattern of the model.
  double hessian(const NodalField& x, Projection projection, NodalField& g, BlockMatrix& H);
  /// The scalar matrix M/h² + Σ c θ² L that local/global solvers factor once, one number per block of the pattern.
  /// Further energies count as if they had the stiffness of the model.
  void laplacian(std::span<double> A) const;
  /// Equal stamps mean equal `laplacian`s.
  struct Stamp {
    double inertia;        ///< 1/h² [1/s²]
    double stiffness;      ///< Σ c θ²
    std::uint64_t acting;  ///< hash of which energies act
    bool operator==(const Stamp&) const = default;
  };
  Stamp stamp() const;

  /// |g|_{M⁻¹} of a force field, over the vertices that are free [N/√kg].
  double norm(const NodalField& g);
  /// What |∇Φ| must come down to: tolerance times the forces in play at the last gradient (inertia, elasticity, and the
  /// momentum carried through the step relative to the mean motion, which is the same for every observer), but not less
  /// than the rounding errors of all of them.
  double goal(double tolerance) const { return tolerance * scale_ + noise_; }
  /// Whether rounding errors may be all that is left: where a solver that finds no way down has converged all the same.
  bool at_rounding(double norm) const { return norm <= 64 * noise_; }
  /// |∇Φ| / |forces in play|.
  double relative(double norm) const { return norm > noise_ ? norm / (scale_ + noise_) : 0; }
  /// What rounding may make of a value Φ: energies near zero are differences of numbers that are not.
  double value_noise(double phi) const;
  /// The numbers of vertices [first, last) whose differences elastic energies are [J].
  double stored(std::size_t first, std::size_t last) const;
  /// Largest s ≤ 1 for which x + s d stays within the domain of every energy, and its path passes through nothing.
  double domain_step(const NodalField& x, const NodalField& d);
  /// Whether paths are limited: then points beyond x must be reached by domain_step.
  bool limits_path() const { return !path_limits_.empty(); }
  /// The fraction of the straight path between two places on which nothing passes through anything.
  double free_path(const NodalField& from, const NodalField& to);
  /// Shortens the path from x_n to the guess x to within that. Returns whether it did not have to.
  bool admit(NodalField& x);
  /// Moves pinned vertices of x, and nothing else, towards where they are in `to`, as far as they pass through nothing.
  /// Returns whether they arrived.
  bool bring_pinned(const NodalField& to, NodalField& x);
  bool has_contacts() const { return !contacts_.empty(); }
  /// Sets H to the positive curvature of contacts alone at x, which comes and goes and is in no `laplacian`.
  void contact_hessian(const NodalField& x, BlockMatrix& H);

  const NodalField& previous() const { return *x_n_; }
  /// Makes x where the step begins, but for pinned vertices, which stay where it ends.
  void return_to_start(NodalField& x) const;
  const Model& model() const { return *model_; }

 private:
  const NodalField& at(double theta, const NodalField& x);
  Configuration along(double theta, const NodalField& x) { return {at(theta, x), Moment::along(time_, *x_n_, theta)}; }
  /// Calls visit(energy, term, configuration) for all that the objective takes.
  template <class Visit>
  void for_terms(const NodalField& x, Visit&& visit);
  double inertia(const NodalField& x);
  void measure_noise();
  /// Of the inertia target, over the mass that is free [m].
  Vec3 mean_displacement(const NodalField& x_n, const NodalField& y);
  void add_inertia(const NodalField& x, NodalField& g);
  void clear_pinned(BlockMatrix& H) const;
  /// Makes laplacian_ anew where other energies act than those it is made of: it depends on the model as it is, not on
  /// when it was first asked for.
  void follow_acting();

  const Model* model_;
  double h_ = 0;
  const NodalField* x_n_ = nullptr;
  NodalField y_, mixed_, path_, unused_g_;
  std::vector<Term> terms_;
  std::vector<std::pair<const Energy*, Term>> further_;
  std::vector<const Energy*> path_limits_;  ///< energies that limit the path
  std::vector<const Energy*> contacts_;     ///< energies of contact, path_limits_ among them
  bool settled_ = false;
  bool averages_ = false;
  TimeStep time_{};
  std::vector<int> diagonal_;          ///< diagonal block of each vertex
  std::vector<int> pinned_blocks_;     ///< off the diagonal, in rows or columns of pinned vertices
  std::vector<std::uint64_t> acting_;  ///< per energy: 0, or 1 and the version that is part of laplacian_
  std::uint64_t acting_hash_ = 0;
  std::vector<double> laplacian_;  ///< of the elastic energy, per block of the pattern [N/m]
  double carried_ = 0;             ///< |y - x_n|_M / h² relative to its mean, and gravity and loads
  double stored_ = 0;              ///< Σ L |x_i - x_j|² at rest: the numbers whose differences energies are [J]
  std::vector<double> stored_at_;  ///< likewise, of each column
  double weight_ = 0;              ///< Σ c θ
  double scale_ = 0;
  double noise_ = 0;
  NodalSum sum_;
};

}  // namespace brio
