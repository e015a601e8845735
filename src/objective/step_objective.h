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
///
/// Contact between bodies has no potential where forces are averaged along the path (model/path_force.h): then g = ∇Φ
/// but for those forces, g = 0 is what a step solves, and Φ is used for nothing. `settle` gives back a true Φ, whose
/// minimum is a good guess.
///
/// The inertia weight 1/h² may also be next to nothing: an equilibrium. Gravity and loads are then no part of y, which
/// they would carry to infinity, but linear terms of Φ.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "brio/model.h"
#include "brio/objective.h"
#include "math/nodal_ops.h"
#include "model/path_force.h"

namespace brio {

/// The weight c of the energy, taken at θ x + (1 − θ) x_n.
struct Term {
  double c;
  double theta;
};

class StepObjective final : public Objective {
 public:
  explicit StepObjective(const Model& model);

  /// The next step. x_n must outlive it; y and terms are copied. Further energies are forgotten. `load` is a force that
  /// is held during the step [N]; like gravity it is folded into y. `time` is that of x_n and of x, for what is driven;
  /// pinned vertices of x are where the step's end has them.
  void declare(double h, const NodalField& x_n, const NodalField& y, std::span<const Term> terms,
               const NodalField* load = nullptr, const TimeStep& time = {});
  /// An equilibrium instead, at the end of `time`:
  ///   Φ(x) = w/2 |x − x_n|²_M + E(x) − Σ (m g + load)·(x − x_n)
  /// `weight` is w beside the model's stiffness over its mass; the smaller, the less x_n matters.
  void declare_equilibrium(double weight, const NodalField& x_n, const NodalField* load, const TimeStep& time);
  /// Another energy over the sparsity pattern of the model; it must outlive the step.
  void add(const Energy& energy, const Term& term);
  /// From now until the next step is declared: energies that limit the path are taken at the end of the step.
  void settle() { settled_ = true; }
  void unsettle() { settled_ = false; }
  bool settled() const { return settled_; }

  /// From now until the next step is declared: Φ is infinite where any energy is at x itself. Terms at θ < 1 say
  /// nothing of that, and a minimum may lie where a step cannot end.
  void limit_end();
  /// The same as `settle` for those energies, which also have a minimum at any h then. Where it is found nothing is
  /// infinite at x.
  void settle_domain();
  /// Whether an energy is taken at the end of the step.
  bool is_settled(const Energy& energy) const;
  /// Whether a step may end at x.
  bool can_end_at(const NodalField& x);

  /// Energies that know the mean of their forces along the path from x_n are taken so, once, instead of at every term,
  /// until the next step is declared. Those that find the points for it by themselves do so as solvers call `refine`.
  void average_paths(Averaging which);
  /// Near the minimum, means along the path become exact in energy.
  bool refine(const NodalField& x, const Iterate& at, NodalField& g, double& phi) override;
  /// Means along long paths have much negative curvature that cancels; so has what contact presses together, where
  /// each element by itself would give way sideways and its neighbors hold it.
  bool prefers_inertia() const override { return refines_ || (limits_path() && !pushes_); }

  /// Whether forces without a potential are among those that are averaged, settled or not.
  bool averages_path_forces() const { return takes_path_forces_; }
  bool has_potential() const override { return !takes_path_forces_ || settled_; }
  void linearize(const NodalField& x) override;
  void multiply(const NodalField& v, NodalField& Jv) override;
  /// The same of the forces without a potential alone, Jv += J v; returns whether any of them act on the path to x.
  bool linearize_path_forces(const NodalField& x);
  void add_path_product(const NodalField& v, NodalField& Jv) const;
  /// What of their work on the path to x is lost [J]; nothing where they are settled.
  double path_loss(const NodalField& x);
  /// The gradient without them, with which differences are taken of the rest.
  double smooth_gradient(const NodalField& x, NodalField& g);
  void add_inertia(double fraction, BlockMatrix& H) const override;

  const std::shared_ptr<const BlockPattern>& pattern() const override { return model_->pattern(); }
  double value(const NodalField& x) override;
  double gradient(const NodalField& x, NodalField& g) override;
  double hessian(const NodalField& x, Projection projection, NodalField& g, BlockMatrix& H) override;
  /// The scalar matrix M/h² + Σ c θ² L. Further energies count as if they had the stiffness of the model.
  void laplacian(std::span<double> A) const override;
  /// inertia: 1/h² [1/s²]; stiffness: Σ c θ²; acting: hash of which energies act.
  Stamp stamp() const override;

  /// |g|_{M⁻¹} of a force field, over the vertices that are free [N/√kg].
  double norm(const NodalField& g) override;
  /// Inertia, elasticity, and the momentum carried through the step relative to the mean motion, which is the same for
  /// every observer.
  double scale() const override { return scale_; }
  double noise() const override { return noise_ + path_noise_; }
  /// Energies near zero are differences of numbers that are not.
  double value_noise(double phi) const override;
  /// The numbers of vertices [first, last) whose differences elastic energies are [J].
  double stored(std::size_t first, std::size_t last) const;
  /// Of every energy; a path also passes through nothing.
  double domain_step(const NodalField& x, const NodalField& d) override;
  bool limits_path() const override { return !path_limits_.empty(); }
  /// From where the step begins, x_n itself, what is driven moves along; else it is where the step ends.
  double free_path(const NodalField& from, const NodalField& to) override;
  /// Shortens the path from x_n to the guess x to what is free of it. Returns whether it did not have to.
  bool admit(NodalField& x);
  /// Makes x where the step begins, and rigid surfaces with it.
  void restart(NodalField& x) {
    x = *x_n_;
    reach_ = 0;
  }
  /// Whether anything went through anything on the straight path of the step to x. Ends that energies do not feel, as
  /// those of midpoint rules, may creep up to something until rounding carries them across.
  bool is_crossed(const NodalField& x) const {
    return std::ranges::any_of(path_forces_, [&](const PathForce* force) {
      return force->is_crossed({*x_n_, moment(1, 0)}, {x, moment(1, 1)});
    });
  }
  /// Rigid surfaces where the step ends, whether or not that was reached: whoever gave up looks at other ends.
  void finish() { reach_ = 1; }
  /// Moves pinned vertices of x and rigid surfaces, nothing else, towards where they are in `to`, as far as they pass
  /// through nothing.
  /// Returns whether they arrived.
  bool bring_pinned(const NodalField& to, NodalField& x);
  bool has_contacts() const override { return !contacts_.empty(); }
  void contact_hessian(const NodalField& x, BlockMatrix& H) override;

  /// Work, in evaluations of the gradient with three points along the path of each element; where means are refined,
  /// one costs more, the more points it has. From now on it is counted anew, and solvers end where it exceeds the
  /// limit.
  void limit_work(double limit) {
    work_ = 0;
    max_work_ = limit;
  }
  void set_max_work(double limit) { max_work_ = limit; }
  /// So much more than what was done.
  void allow_work(double more) { max_work_ = std::max(max_work_, work_ + more); }
  void add_work(double work) { work_ += work; }
  double work() const { return work_; }
  bool is_exhausted() const override { return work_ > max_work_; }

  /// Makes x where the step begins, but for pinned vertices, which stay where it ends.
  void return_to_start(NodalField& x) const override;
  /// Moves every body that has no pinned vertex to where its inertia target is in the mean, gravity and loads included.
  /// From there each iteration of solvers whose matrix is translation invariant keeps the momentum, however far it
  /// goes: who stops short of the minimum has it all the same.
  void take_mean_motion(NodalField& x) const;
  const Model& model() const { return *model_; }

 private:
  const NodalField& at(double theta, const NodalField& x);
  Configuration along(double theta, const NodalField& x) { return {at(theta, x), moment(theta, reach_)}; }
  Moment moment(double theta, double reach) const {
    Moment when = Moment::along(time_, *x_n_, theta);
    when.reach = reach;
    return when;
  }
  /// The fraction of the path that is free, with rigid surfaces brought from one part of their way to another.
  double free_path(const NodalField& from, double reach_from, const NodalField& to, double reach_to);
  Configuration mean_along(const NodalField& x) {
    Configuration mean = along(1, x);
    mean.when.mean = true;
    mean.when.discrete = averages_ == Averaging::discrete;
    return mean;
  }
  /// Whether its mean along the path is taken: not of what is settled.
  bool takes_mean(const Energy& energy) const {
    return energy.takes_mean(averages_) && !(settled_ && energy.limits_path());
  }
  /// Calls visit(energy, term, configuration) for all that the objective takes.
  template <class Visit>
  void for_terms(const NodalField& x, Visit&& visit);
  double inertia(const NodalField& x);
  /// That, or infinity where the step cannot end.
  double start_value(const NodalField& x);
  void measure_noise();
  /// Of the inertia target, over the mass that is free [m].
  Vec3 mean_displacement(const NodalField& x_n, const NodalField& y);
  void add_inertia(const NodalField& x, NodalField& g);
  void clear_pinned(BlockMatrix& H) const;
  /// Of the mean vertex [1/s²], positive.
  double stiffness_over_mass() const;
  /// Makes laplacian_ anew where other energies act than those it is made of: it depends on the model as it is, not on
  /// when it was first asked for.
  void follow_acting();

  const Model* model_;
  double h2_ = 0;  ///< one over the inertia weight: h² of a step [s²]
  const NodalField* x_n_ = nullptr;
  NodalField y_, mixed_, path_, brought_, unused_g_;
  NodalField push_;      ///< gravity and loads of an equilibrium [N]
  bool pushes_ = false;  ///< an equilibrium is declared, not a step
  std::vector<Term> terms_;
  std::vector<std::pair<const Energy*, Term>> further_;
  std::vector<const Energy*> path_limits_;  ///< energies that limit the path
  std::vector<const Energy*> bounded_;      ///< energies that are infinite somewhere
  std::vector<const Energy*> contacts_;     ///< energies of contact, path_limits_ among them
  bool settled_ = false;
  bool end_is_limited_ = false;
  bool domain_settled_ = false;
  double reach_ = 1;  ///< Moment::reach of what is evaluated
  Averaging averages_ = Averaging::none;
  bool refines_ = false;            ///< some means are refined
  bool takes_path_forces_ = false;  ///< path_forces_ are among what is averaged
  bool leaves_out_path_forces_ = false;
  std::vector<const Energy*> refined_;  ///< energies whose means are refined, where that is asked for
  std::vector<const PathForce*> path_forces_;
  std::optional<BlockMatrix> J_;   ///< the derivative of the gradient without them; made when it is first needed
  std::vector<double> stiffness_;  ///< of them, per vertex [N/m]
  double path_noise_ = 0;          ///< what rounding makes of them [N/√kg]
  NodalField evaluated_;           ///< where means are refined: where the last gradient was taken
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
  double coarse_points_ = 1;       ///< three for every element
  double mean_work_ = 1;           ///< of an evaluation, with the points that means along the path have now
  double work_ = 0, max_work_ = std::numeric_limits<double>::infinity();
  double scale_ = 0;
  double noise_ = 0;
  NodalSum sum_;
};

}  // namespace brio
