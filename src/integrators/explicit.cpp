#include "integrators/explicit.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "integrators/halving.h"
#include "model/domain.h"
#include "model/memory.h"

namespace brio {

void ExplicitStep::remember_start(const NodalField& a, double weight) {
  if (!stages_.books()) return;
  for_vertices(a.size(), [&](std::size_t i) { force_[i] = model_->mass()[i] * a[i]; });
  if (stages_.external().size() > 0) stages_.external() = remembered->back();
  stages_.book({state_->x, state_->v, 0, weight}, force_);
}

std::size_t ExplicitMethod::memory_fields(const Model& model) const {
  return fields_.memory > 0 && is_pushed_from_outside(model) ? fields_.memory + 1 : fields_.memory;
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
  work_.has_domain_ = has_domain(model);
  work_.memory.assign(memory_fields(model), NodalField(count));
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
    return step_by_halves(state, step, work_.stages_.supports(), {.halvings = 1},
                          [&](State& from, const TimeStep& half) { return attempt(model, from, half, halvings + 1); });
  report.message = fmt::format(
      "elements turn inside out in step {}, which their material forbids, also in steps of {:.3g} s; choose a smaller "
      "h "
      "than {} s, or an implicit method",
      state.step + 1, step.h, std::ldexp(step.h, halvings));
  return report;
}

StepReport ExplicitMethod::advance_once(const Model& model, State& state, const TimeStep& step) {
  const std::size_t count = model.vertices();
  const double h = step.h;
  work_.h = h;
  work_.model_ = &model;
  work_.state_ = &state;
  work_.finite_ = work_.within_domain_ = true;
  work_.remembered = fields_.memory > 0 && remembers(state, h) ? &state.memory.fields : nullptr;
  work_.stages_.begin(model, state, step);
  advance_(work_);
  if (!work_.finite_) return StageWork::not_finite(state, h);
  if (work_.has_domain_ && work_.within_domain_) {
    place_driven(model, state, step.end, Side::after, work_.x_next, work_.v_next);
    work_.within_domain_ = is_within_domain(model, {work_.x_next, Moment::at(step.end)});
  }
  if (!work_.within_domain_) return {.status = StepReport::Status::failed};
  StepReport report = work_.stages_.finish(work_.x_next, work_.v_next, state);
  if (fields_.memory > 0) {
    if (work_.remembered == nullptr) {
      state.memory.fields.assign(work_.memory.size(), NodalField(count));
      state.memory.numbers.assign(1, h);
    }
    if (work_.stages_.external().size() > 0) work_.memory.back() = work_.stages_.external();
    std::swap(state.memory.fields, work_.memory);
  }
  return report;
}

}  // namespace brio
