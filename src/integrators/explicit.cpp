#include "integrators/explicit.h"

#include <utility>

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
  work_.memory.assign(memory_fields(model), NodalField(count));
}

StepReport ExplicitMethod::step(const Model& model, State& state, const TimeStep& step) {
  prepare(model);
  const std::size_t count = model.vertices();
  const double h = step.h;
  work_.h = h;
  work_.model_ = &model;
  work_.state_ = &state;
  work_.finite_ = true;
  work_.remembered = fields_.memory > 0 && remembers(state, h) ? &state.memory.fields : nullptr;
  work_.stages_.begin(model, state, step);
  advance_(work_);
  if (!work_.finite_) return StageWork::not_finite(state, h);
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
