#include "integrators/explicit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "brio/force.h"
#include "integrators/halving.h"
#include "model/domain.h"
#include "model/memory.h"

namespace brio {

/// With damping of strain: −(δ/h) ∇W(x + h v) ≈ −δ K v, W the strain energy with x as rest shape, so that neither rigid
/// motion nor stress at rest is damped.
void ExplicitStep::evaluate(const NodalField& x, const NodalField& v, double fraction, double weight) {
  const Configuration at{x, Moment::stage(time_.at(fraction), time_.end)};
  const double elastic = model_->force(at, v, force_);
  within_domain_ = within_domain_ && (!has_domain_ || std::isfinite(elastic));
  const double delta = model_->damping().strain;
  if (delta > 0) {
    strain_.set_rest(x);
    for_vertices(x.size(), [&](std::size_t i) { moved_[i] = x[i] + h * v[i]; });
    strain_.gradient(moved_, damping_force_);
    for_vertices(x.size(), [&](std::size_t i) { force_[i] -= delta / h * damping_force_[i]; });
  }
  if (weight == 0) return;
  if (external_.size() > 0) {
    external_.set_zero();
    for (const auto& force : model_->forces())
      if (force->external()) force->add(x, v, time_.at(fraction), external_);
  }
  book(x, v, fraction, weight);
}

void ExplicitStep::remember_start(const NodalField& a, double weight) {
  if (!supports_->wanted() && external_.size() == 0) return;
  for_vertices(a.size(), [&](std::size_t i) { force_[i] = model_->mass()[i] * a[i]; });
  if (external_.size() > 0) external_ = remembered->back();
  book(state_->x, state_->v, 0, weight);
}

void ExplicitStep::book(const NodalField& x, const NodalField& v, double fraction, double weight) {
  const double time = time_.at(fraction);
  const Configuration at{x, Moment::stage(time, time_.end)};
  if (external_.size() > 0) {
    work_ += weight * h * sum_(x.size(), [&](std::size_t i) {
               Vec3 mean = v[i];
               // The mean of before and after a kick.
               if (kicks_ && model_->pinned()[i] == 0) mean += 0.5 * weight * h / model_->mass()[i] * force_[i];
               return external_[i].dot(mean);
             });
  }
  if (!supports_->wanted()) return;
  if (gradient_.size() != x.size()) gradient_ = NodalField(x.size());
  for_vertices(x.size(), [&](std::size_t i) { gradient_[i] = -force_[i]; });
  supports_->add(at, &gradient_, weight);
  if (by_stages_ && model_->is_driven())
    work_ += weight * h * supports_->power(*state_, at, force_, fraction > 0 ? Side::before : Side::after);
}

/// Along the straight path of the step, at its mean speed [J].
double ExplicitStep::strain_loss() {
  const double delta = model_->damping().strain;
  if (delta == 0) return 0;
  strain_.set_rest(state_->x);
  strain_.gradient(x_next, damping_force_);
  return delta / h *
         sum_(x_next.size(), [&](std::size_t i) { return damping_force_[i].dot(x_next[i] - state_->x[i]); });
}

namespace {
bool is_pushed(const Model& model) {
  return std::ranges::any_of(model.forces(), [](const auto& force) { return force->external(); });
}
}  // namespace

std::size_t ExplicitMethod::memory_fields(const Model& model) const {
  return fields_.memory > 0 && is_pushed(model) ? fields_.memory + 1 : fields_.memory;
}

bool ExplicitMethod::fits(const Memory& memory, const Model& model) const {
  return memory.empty() || (fields_.memory > 0 && holds(memory, memory_fields(model), model.vertices(), 1));
}

/// What an explicit method remembers holds for the h it was made with.
bool ExplicitMethod::remembers(const State& state, double h) const {
  return holds(state.memory, work_.memory.size(), state.x.size(), 1) && state.memory.numbers[0] == h;
}

void ExplicitMethod::prepare(const Model& model) {
  if (model_ == &model && pattern_ == model.pattern()) return;
  model_ = &model;
  pattern_ = model.pattern();
  const std::size_t count = model.vertices();
  for (NodalField* field : {&work_.force_, &work_.x_next, &work_.v_next}) *field = NodalField(count);
  work_.scratch.assign(fields_.scratch, NodalField(count));
  work_.by_stages_ = fields_.by_stages;
  work_.kicks_ = fields_.kicks;
  work_.has_domain_ = has_domain(model);
  work_.supports_.emplace(model);
  work_.external_ = is_pushed(model) ? NodalField(count) : NodalField();
  work_.memory.assign(memory_fields(model), NodalField(count));
  if (model.damping().strain == 0) return;
  work_.strain_.prepare(model);
  work_.moved_ = work_.damping_force_ = NodalField(count);
}

StepReport ExplicitMethod::step(const Model& model, State& state, const TimeStep& step) {
  prepare(model);
  return attempt(model, state, step, 0);
}

/// Outside the domain of a barrier-like material forces mean nothing: a step that enters it, at a stage or in the end,
/// is too long.
StepReport ExplicitMethod::attempt(const Model& model, State& state, const TimeStep& step, int halvings) {
  constexpr int max_halvings = 6;
  StepReport report = advance_once(model, state, step);
  if (report.ok() || work_.within_domain_) return report;
  if (halvings < max_halvings)
    return step_by_halves(state, step, *work_.supports_, {.halvings = 1}, [&](State& from, const TimeStep& half) {
      return attempt(model, from, half, halvings + 1);
    });
  report.message = fmt::format(
      "elements turn inside out in step {}, which their material forbids, also in steps of {:.3g} s; choose a smaller h "
      "than {} s, or an implicit method",
      state.step + 1, step.h, std::ldexp(step.h, halvings));
  return report;
}

StepReport ExplicitMethod::advance_once(const Model& model, State& state, const TimeStep& step) {
  const std::size_t count = model.vertices();
  const double h = step.h;
  work_.h = h;
  work_.time_ = step;
  work_.work_ = 0;
  work_.model_ = &model;
  work_.state_ = &state;
  work_.finite_ = work_.within_domain_ = true;
  work_.remembered = fields_.memory > 0 && remembers(state, h) ? &state.memory.fields : nullptr;
  work_.supports_->clear();
  // By stages only the kinetic energy of pins, and what is let go, is left: all else is in the stages' power.
  const bool by_stages = fields_.by_stages && model.is_driven();
  double work = by_stages ? work_.supports_->work(state, state.x, step).energy : 0;
  advance_(work_);
  place_driven(model, state, step.end, Side::after, work_.x_next, work_.v_next);
  if (!work_.finite_)
    return {.status = StepReport::Status::failed,
            .message = fmt::format("positions are no longer finite after step {}; choose a smaller h than {} s",
                                   state.step + 1, h)};

  if (work_.has_domain_ && work_.within_domain_)
    work_.within_domain_ = is_within_domain(model, {work_.x_next, Moment::at(step.end)});
  if (!work_.within_domain_) return {.status = StepReport::Status::failed};

  const double lost = work_.strain_loss();
  if (!by_stages) work = work_.supports_->work(state, work_.x_next, step).energy;
  work += work_.work_;
  std::swap(state.x, work_.x_next);
  std::swap(state.v, work_.v_next);
  if (fields_.memory > 0) {
    if (work_.remembered == nullptr) {
      state.memory.fields.assign(work_.memory.size(), NodalField(count));
      state.memory.numbers.assign(1, h);
    }
    if (work_.external_.size() > 0) work_.memory.back() = work_.external_;
    std::swap(state.memory.fields, work_.memory);
  }
  state.time = step.end;
  ++state.step;
  return {.damping_loss = lost, .user_work = work};
}

}  // namespace brio
