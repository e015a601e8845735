#include "integrators/stage_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "brio/force.h"

namespace brio {

bool is_pushed_from_outside(const Model& model) {
  return std::ranges::any_of(model.forces(), [](const auto& force) { return force->external(); });
}

void StageWork::prepare(const Model& model) {
  if (model_ == &model && pattern_ == model.pattern()) return;
  model_ = &model;
  pattern_ = model.pattern();
  const std::size_t count = model.vertices();
  supports_.emplace(model);
  external_ = is_pushed_from_outside(model) ? NodalField(count) : NodalField();
  gradient_ = NodalField();
  if (model.damping().strain == 0) return;
  strain_.prepare(model);
  moved_ = damping_force_ = NodalField(count);
}

void StageWork::begin(const Model& model, const State& state, const TimeStep& step) {
  prepare(model);
  state_ = &state;
  time_ = step;
  work_ = 0;
  supports_->clear();
  // By stages only the kinetic energy of pins, and what is let go, is left: all else is in the stages' power.
  support_work_ = by_stages_ && model.is_driven() ? supports_->work(state, state.x, step).energy : 0;
}

/// With damping of strain: −(δ/h) ∇W(x + h v) ≈ −δ K v, W the strain energy with x as rest shape, so that neither rigid
/// motion nor stress at rest is damped.
double StageWork::force(const Stage& stage, NodalField& f) {
  const auto& [x, v, fraction, weight] = stage;
  const double energy = model_->force({x, Moment::stage(time_.at(fraction), time_.end)}, v, f);
  const double delta = model_->damping().strain;
  const double h = time_.h;
  if (delta > 0) {
    strain_.set_rest(x);
    for_vertices(x.size(), [&](std::size_t i) { moved_[i] = stage.x[i] + h * stage.v[i]; });
    strain_.gradient(moved_, damping_force_);
    for_vertices(x.size(), [&](std::size_t i) { f[i] -= delta / h * damping_force_[i]; });
  }
  if (weight == 0) return energy;
  if (external_.size() > 0) {
    external_.set_zero();
    for (const auto& force : model_->forces())
      if (force->external()) force->add(x, v, time_.at(fraction), external_);
  }
  book(stage, f);
  return energy;
}

void StageWork::book(const Stage& stage, const NodalField& f) {
  const double h = time_.h;
  const Configuration at{stage.x, Moment::stage(time_.at(stage.fraction), time_.end)};
  if (external_.size() > 0) {
    work_ += stage.weight * h * sum_(f.size(), [&](std::size_t i) {
               Vec3 mean = stage.v[i];
               // The mean of before and after a kick.
               if (kicks_ && model_->pinned()[i] == 0) mean += 0.5 * stage.weight * h / model_->mass()[i] * f[i];
               return external_[i].dot(mean);
             });
  }
  if (!supports_->wanted()) return;
  if (gradient_.size() != f.size()) gradient_ = NodalField(f.size());
  for_vertices(f.size(), [&](std::size_t i) { gradient_[i] = -f[i]; });
  supports_->add(at, &gradient_, stage.weight);
  if (by_stages_ && model_->is_driven())
    work_ += stage.weight * h * supports_->power(*state_, at, f, stage.fraction > 0 ? Side::before : Side::after);
}

void StageWork::place_driven(double fraction, NodalField& x, NodalField& v) const {
  brio::place_driven(*model_, *state_, time_.at(fraction), fraction > 0 ? Side::before : Side::after, x, v);
}

/// Along the straight path of the step, at its mean speed [J].
double StageWork::strain_loss(const NodalField& x_next) {
  const double delta = model_->damping().strain;
  if (delta == 0) return 0;
  strain_.set_rest(state_->x);
  strain_.gradient(x_next, damping_force_);
  return delta / time_.h *
         sum_(x_next.size(), [&](std::size_t i) { return damping_force_[i].dot(x_next[i] - state_->x[i]); });
}

StepReport StageWork::finish(NodalField& x_next, NodalField& v_next, State& state) {
  brio::place_driven(*model_, state, time_.end, Side::after, x_next, v_next);
  const double lost = strain_loss(x_next);
  double work = by_stages_ && model_->is_driven() ? support_work_ : supports_->work(state, x_next, time_).energy;
  work += work_;
  std::swap(state.x, x_next);
  std::swap(state.v, v_next);
  state.time = time_.end;
  ++state.step;
  return {.damping_loss = lost, .user_work = work};
}

StepReport StageWork::not_finite(const State& state, double h) {
  return {.status = StepReport::Status::failed,
          .message = fmt::format("positions are no longer finite after step {}; choose a smaller h than {} s",
                                 state.step + 1, h)};
}

void check_accounts(const Integrator& integrator, const std::string& method, const Model& model) {
  if (integrator.accounts_for_all()) return;
  const char* has = model.is_driven()               ? "what is driven from outside"
                    : SupportForces(model).wanted() ? "friction on colliders"
                    : is_pushed_from_outside(model) ? "the work of forces from outside"
                    : model.damping().strain > 0    ? "damping of strain"
                                                    : nullptr;
  if (has == nullptr) return;
  throw InputError({.key = "integrator.name",
                    .value = method,
                    .problem = fmt::format("does not account for {}, which this model has", has),
                    .advice = "choose another, or let it evaluate its forces by StageForces (brio/integrators.h) and "
                              "say so in accounts_for_all"});
}

StageForces::StageForces(Stages stages) : work_(std::make_unique<StageWork>(true, stages == Stages::kicks)) {}
StageForces::~StageForces() = default;
StageForces::StageForces(StageForces&&) noexcept = default;
StageForces& StageForces::operator=(StageForces&&) noexcept = default;

void StageForces::begin(const Model& model, const State& state, const TimeStep& step) {
  work_->begin(model, state, step);
  h_ = step.h;
}

void StageForces::force(const NodalField& x, const NodalField& v, double fraction, double weight, NodalField& f) {
  work_->force({x, v, fraction, weight}, f);
}

void StageForces::place(double fraction, NodalField& x, NodalField& v) const {
  const Model& model = work_->model();
  for_vertices(x.size(), [&](std::size_t i) {
    if (model.pinned()[i] == 0) return;
    x[i] = work_->state().x[i];
    v[i].setZero();
  });
  work_->place_driven(fraction, x, v);
}

StepReport StageForces::finish(NodalField& x_next, NodalField& v_next, State& state) {
  place(1, x_next, v_next);
  if (!work_->finite(x_next) || !work_->finite(v_next)) return StageWork::not_finite(state, h_);
  return work_->finish(x_next, v_next, state);
}

}  // namespace brio
