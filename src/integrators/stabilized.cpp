#include <algorithm>
#include <cmath>

#include "core/timer.h"
#include "integrators/implicit.h"
#include "integrators/island_blend.h"

namespace brio {
namespace {

/// Stabilized integrator: implicit midpoint, blended with just enough backward Euler (where energy grew) or forward
/// Euler (where it fell) to hold the energy. [Dinev, Liu, Li, Thomaszewski & Kavan 2018, algorithm 1]
///   e(α) = E(x) + K(v) − H_total of (x,v) = (1−α)(x,v)_IM + α (x,v)_BE      where e > 0 for α = 0
///                                 or (x,v) = (1−α)(x,v)_FE + α (x,v)_IM     where e < 0 for α = 1
/// Every island of bodies that touch has an α of its own, found by a bracketed search until |e| ≤ ε S, S being the
/// energy in play in that island (island_targets.h). Where nothing holds it, its mean motion is that of implicit
/// midpoint, a parabola. e is less the work of what is driven, W(α) = (1−α) W_IM + α W_BE.
/// Reported α: in (0,1] towards backward Euler, in [−1,0) towards forward Euler, 0 for implicit midpoint alone; of
/// several islands the largest.
/// Departs: S cannot vanish or be negative, unlike their |H|; Illinois's rule instead of bisection; where one iteration
/// of local/global towards backward Euler leaves too much energy, more are done, which they go without. Backward Euler
/// from the result of implicit midpoint may end in a bad minimum: then it is solved again from x_n and from the inertia
/// target, then the step is halved, and what has too much energy even so is slowed down. What ends outside ε for all
/// that is counted.
/// With a half-life the target sinks towards the lowest gravity energy so far, at the same rate whatever h is.
class Stabilized final : public ImplicitIntegrator {
 public:
  explicit Stabilized(const IntegratorOptions& options)
      : ImplicitIntegrator(options.solver),
        start_implicit_(options.start == StabilizedStart::implicit_midpoint),
        targets_({.epsilon = options.epsilon, .half_life = options.half_life, .contact_counts = options.contact_energy},
                 [this](const NodalField& x) { return forces_to(x); }) {
    SolverOptions backward = options.solver;
    if (find_solver(backward.name).ends_early) backward.iterations = 1;
    backward_solver_ = make_solver(backward);
    bears_residual_ = true;
  }
  void disturbed(State&) const override {}  ///< what was done counts as added
  bool fits(const Memory& memory, const Model& model) const override { return IslandTargets::fits(memory, model); }

 private:
  static constexpr int max_backward_steps = 20;
  using Aim = IslandBlend::Aim;
  struct Ends {
    NodalField x, v;
    std::vector<SupportWork> works;  ///< per body
    bool known = false;
  };

  void prepare(const Model& model) override {
    for (Ends* ends : {&predictor_, &backward_, &forward_, &candidate_}) {
      for (NodalField* field : {&ends->x, &ends->v}) *field = NodalField(model.vertices());
      ends->works.resize(model.bodies().size());
    }
    for (NodalField* field : {&a_, &middle_}) *field = NodalField(model.vertices());
    targets_.prepare(model);
    blend_.prepare(model);
    weights_.resize(model.bodies().size());
  }

  StepReport advance(const Model&, State& state, const TimeStep& step) override {
    StepReport report;
    state_ = &state;
    step_ = step;
    targets_.begin(state, step);
    if (!predictor_step(report)) return report;
    meet_on_the_way();
    backward_.known = forward_.known = false;
    ends_only_ = !start_implicit_ && objective().free_path(state.x, predictor_.x) < 1;
    bool steered = false;
    for (bool settled = false; !settled;) {
      Stopwatch watch;
      targets_.set_up(objective(), report.unconverged ? 0 : options_.tolerance);
      set_base();
      steered = blend_.choose_aims(ends_only_);
      report.times.blend += watch.milliseconds();
      if (!steered) break;
      if (!find_ends(report)) return report;
      watch = {};
      const bool met = !search_towards_ends();
      report.times.blend += watch.milliseconds();
      if (met || !rescue(report)) continue;
      watch = {};
      settled = is_free_of_surprises();
      report.times.blend += watch.milliseconds();
    }
    if (targets_.any_strays() && !is_last_resort()) {
      missed_energy_ = true;
      report.status = StepReport::Status::failed;
      report.message = "the energy could not be held within epsilon";
      return report;
    }
    tell_supports();
    if (const auto* most = blend_.most_steered(); most != nullptr)
      report.alpha = most->aim == Aim::forward ? -most->fraction : most->fraction;
    for (std::size_t i = 0; i < targets_.count(); ++i) report.user_work += blend_[i].work();
    if (targets_.any_strays()) blend_.slow_down(state.x, objective());
    x_next_ = steered ? blend_.x : blend_.base_x;
    v_next_ = steered ? blend_.v : blend_.base_v;
    if (!targets_.book(report)) return report;
    report = commit(state, step, std::move(report));
    if (report.ok()) targets_.remember(state.memory);
    return report;
  }

  IslandTargets::Forces forces_to(const NodalField& x) {
    return {.external = model().forces().empty() ? nullptr : &external(),
            .damping = strain_gradient(state_->x, x, step_.h)};
  }
  void meet_on_the_way() {
    for_vertices(y_.size(), [&](std::size_t i) { middle_[i] = 0.5 * (state_->x[i] + predictor_.x[i]); });
    targets_.islands().meet({middle_, Moment::along(step_, state_->x, 0.5)});
    targets_.islands().meet({predictor_.x, Moment::at(step_.end)});
  }
  bool meet(const NodalField& x) { return targets_.islands().meet({x, Moment::at(step_.end)}); }

  // Steps to blend.

  /// Implicit midpoint or symplectic Euler.
  bool predictor_step(StepReport& report) {
    static constexpr Term terms[]{{.c = 1, .theta = 0.5}};
    const State& state = *state_;
    inertial_target(state, step_, y_);
    x_next_ = y_;
    if (start_implicit_) {
      if (!solve(step_, state.x, terms, report)) return false;
      set_velocity(state, step_.h, 2, 1);
    } else {
      declare(step_.h, step_, state.x, terms);
      acceleration(state, step_, a_);
      for_vertices(y_.size(), [&](std::size_t i) {
        if (model().pinned()[i] != 0) return;
        v_next_[i] = state.v[i] + step_.h * a_[i];
        x_next_[i] = state.x[i] + step_.h * v_next_[i];
      });
    }
    take(start_implicit_ ? at_middle : at_start, predictor_);
    return true;
  }
  /// From the guess in x_next_.
  bool backward_step(Solver& solver, Ends& to, StepReport& report) {
    static constexpr Term terms[]{{.c = 1, .theta = 1}};
    if (!solve(solver, step_.h, step_, state_->x, terms, report)) return false;
    set_velocity(*state_, step_.h, 1, 0);
    take(at_end, to);
    return true;
  }
  void forward_step() {
    acceleration(*state_, step_, a_);
    for_vertices(y_.size(), [&](std::size_t i) {
      x_next_[i] = state_->x[i] + step_.h * state_->v[i];
      v_next_[i] = state_->v[i] + step_.h * a_[i];
    });
    take(at_start, forward_);
  }
  /// What is in x_next_, v_next_, with driven vertices in place.
  void take(std::span<const Impulse> rule, Ends& to) {
    place_driven(model(), *state_, step_.end, Side::after, x_next_, v_next_);
    to.x = x_next_;
    to.v = v_next_;
    to.known = true;
    support_work(*state_, to.x, step_, rule, targets_.islands().bodies(), to.works);
  }
  /// The ends that islands aim at.
  bool find_ends(StepReport& report) {
    if (blend_.aims(Aim::forward) && !forward_.known) forward_step();
    if (!blend_.aims(Aim::backward) || backward_.known) return true;
    x_next_ = predictor_.x;
    if (ends_only_) objective().return_to_start(x_next_);
    const double residual = report.residual;
    if (backward_step(*backward_solver_, backward_, report)) return true;
    report.status = StepReport::Status::ok;
    report.message.clear();
    report.residual = residual;
    guess_start();
    return backward_step(solver(), backward_, report);
  }
  void guess_start() {
    x_next_ = y_;
    for_vertices(y_.size(), [&](std::size_t i) {
      if (model().pinned()[i] == 0) x_next_[i] = state_->x[i];
    });
  }

  // Their blend.

  void set_base() {
    blend_.clear();
    blend_.base_x = predictor_.x;
    blend_.base_v = predictor_.v;
    for (std::size_t b = 0; b < predictor_.works.size(); ++b) blend_.of_body(b).base_work += predictor_.works[b].energy;
    if (start_implicit_) return;
    // Symplectic Euler lets what is free fall too far: h²/2 of its acceleration.
    targets_.gather_outside(blend_.base_x);
    const Islands& islands = targets_.islands();
    for_vertices(y_.size(), [&](std::size_t k) {
      const std::size_t i = islands.parts()[static_cast<int>(k)];
      if (islands.is_held(i)) return;
      const Vec3 a = model().gravity() + targets_.outside_force(i) / islands.mass(i);
      blend_.base_x[k] -= 0.5 * step_.h * step_.h * a;
    });
  }
  const Ends& end_of(Aim aim) const { return aim == Aim::backward ? backward_ : forward_; }
  /// False when other bodies were met there, and all must be done again.
  bool search_towards_ends() {
    for_vertices(y_.size(), [&](std::size_t k) {
      const Aim aim = blend_.of_vertex(k).aim;
      const bool keeps = aim == Aim::keep;
      blend_.other_x[k] = (keeps ? blend_.base_x : end_of(aim).x)[k];
      blend_.other_v[k] = (keeps ? blend_.base_v : end_of(aim).v)[k];
    });
    for (std::size_t i = 0; i < targets_.count(); ++i)
      blend_[i].other_work = blend_[i].aim == Aim::keep ? blend_[i].base_work : 0;
    for (std::size_t b = 0; b < backward_.works.size(); ++b)
      if (auto& search = blend_.of_body(b); search.aim != Aim::keep)
        search.other_work += end_of(search.aim).works[b].energy;
    blend_.share_mean_motion();
    if (meet(blend_.other_x)) return false;
    blend_.search(objective(), ends_only_);
    return true;
  }

  bool is_bad(std::size_t i) { return blend_[i].aim == Aim::backward && targets_[i].has_too_much(); }
  bool any_bad() {
    for (std::size_t i = 0; i < targets_.count(); ++i)
      if (is_bad(i)) return true;
    return false;
  }
  /// Where the backward step has too much energy. False when other bodies were met, and all must be done again.
  bool rescue(StepReport& report) {
    // Local/global stops short of the minimum.
    for (int more = 0; more < max_backward_steps && any_bad(); ++more) {
      const int done = report.iterations;
      x_next_ = backward_.x;
      if (!backward_step(*backward_solver_, candidate_, report)) return give_up(report);
      if (report.iterations == done) break;  // it was backward Euler to the solver's tolerance
      std::swap(backward_, candidate_);
      if (!search_towards_ends()) return false;
    }
    // Another minimum.
    for (const bool from_target : {false, true}) {
      if (!any_bad()) break;
      guess_start();
      const Parts parts = targets_.islands().parts();
      for_vertices(y_.size(), [&](std::size_t k) {
        const std::size_t i = parts[static_cast<int>(k)];
        if (!is_bad(i))
          x_next_[k] = blend_[i].aim == Aim::backward ? backward_.x[k] : predictor_.x[k];
        else if (from_target)
          x_next_[k] = y_[k];
      });
      if (!backward_step(solver(), candidate_, report)) return give_up(report);
      if (!prefer_candidate()) continue;
      if (!search_towards_ends()) return false;
    }
    return true;
  }
  /// A second attempt that cannot be solved leaves what the first one had.
  static bool give_up(StepReport& report) {
    report.status = StepReport::Status::ok;
    report.message.clear();
    return true;
  }
  /// Takes the candidate for bad islands that have less energy there.
  bool prefer_candidate() {
    for (std::size_t i = 0; i < targets_.count(); ++i) blend_[i].searching = is_bad(i);
    if (!blend_.prefer(candidate_.x, candidate_.v, candidate_.works)) return false;
    for_vertices(y_.size(), [&](std::size_t k) {
      if (!blend_.of_vertex(k).searching) return;
      backward_.x[k] = candidate_.x[k];
      backward_.v[k] = candidate_.v[k];
    });
    for (std::size_t b = 0; b < backward_.works.size(); ++b)
      if (blend_.of_body(b).searching) backward_.works[b] = candidate_.works[b];
    return true;
  }

  /// Whether islands that were blended apart stay apart, and none passes through another.
  bool is_free_of_surprises() {
    if (meet(blend_.x)) return false;
    if (!objective().limits_path() || ends_only_) return true;
    if (objective().free_path(blend_.base_x, blend_.x) == 1 || objective().free_path(blend_.other_x, blend_.x) == 1)
      return true;
    ends_only_ = !targets_.islands().join_all();
    return false;
  }

  /// Tells supports the mean forces of the step, as friction wants to know them: those of each island by its own blend.
  void tell_supports() {
    if (!supports().wanted()) return;
    const std::size_t numbers = supports().numbers();
    told_.resize(2 * numbers);
    const Aim aims[]{Aim::backward, Aim::forward};
    for (std::size_t k = 0; k < 2; ++k) {
      if (!blend_.aims(aims[k])) continue;
      tell(end_of(aims[k]).x, aims[k] == Aim::backward ? at_end : at_start,
           [&](const IslandBlend::Search& search) { return search.aim == aims[k] ? search.fraction : 0; });
      supports().write(std::span(told_).subspan(k * numbers, numbers));
    }
    tell(predictor_.x, start_implicit_ ? at_middle : at_start,
         [](const IslandBlend::Search& search) { return search.aim == Aim::keep ? 1 : 1 - search.fraction; });
    for (std::size_t k = 0; k < 2; ++k)
      if (blend_.aims(aims[k])) supports().add(std::span(told_).subspan(k * numbers, numbers), 1);
  }
  /// The forces of a step to x, those of each island times its weight.
  template <class Weight>
  void tell(const NodalField& x, std::span<const Impulse> rule, Weight weight) {
    for (std::size_t i = 0; i < targets_.count(); ++i) weights_[i] = weight(blend_[i]);
    supports().clear();
    supports().add(state_->x, x, step_, rule, Averaging::none);
    supports().scale(targets_.islands().parts(), weights_);
  }

  static constexpr Impulse at_start[]{{.b = 1, .theta = 0}};
  static constexpr Impulse at_middle[]{{.b = 1, .theta = 0.5}};
  static constexpr Impulse at_end[]{{.b = 1, .theta = 1}};

  bool start_implicit_;
  std::unique_ptr<Solver> backward_solver_;
  IslandTargets targets_;
  IslandBlend blend_{targets_};

  // Of the step at hand.
  const State* state_ = nullptr;
  TimeStep step_;
  bool ends_only_ = false;  ///< something is in the way of all blends
  Ends predictor_, backward_, forward_, candidate_;
  NodalField a_, middle_;
  std::vector<double> weights_;  ///< per island
  std::vector<double> told_;     ///< to supports, of backward and forward steps
};

}  // namespace

Method stabilized() {
  return {
      .name = "stabilized",
      .family = "stabilized",
      .order = 2,
      .energy = EnergyBehavior::tracked,
      .options = {"epsilon", "start", "half_life", "contact_energy"},
      .reference = "Dinev, Liu, Li, Thomaszewski & Kavan 2018",
      .sentence = "lively and unbreakable in real time, also with few iterations of local-global",
      .cost =
          "one solve per step; where energy strays a second one by backward Euler, and energy evaluations that blend "
          "both; where neither holds it the step is halved",
      .make = [](const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
        return std::make_unique<Stabilized>(options);
      }};
}

}  // namespace brio
