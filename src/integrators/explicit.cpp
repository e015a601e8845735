#include "integrators/explicit.h"

#include <fmt/format.h>

#include <utility>

#include "model/memory.h"

namespace brio {

/// With damping of strain: −(δ/h) ∇W(x + h v) ≈ −δ K v, W the strain energy with x as rest shape, so that neither rigid
/// motion nor stress at rest is damped.
void ExplicitStep::evaluate(const NodalField& x, const NodalField& v) {
  model_->force(x, v, force_);
  const double delta = model_->damping().strain;
  if (delta == 0) return;
  strain_.set_rest(x);
  for_vertices(x.size(), [&](std::size_t i) { moved_[i] = x[i] + h * v[i]; });
  strain_.gradient(moved_, damping_force_);
  for_vertices(x.size(), [&](std::size_t i) { force_[i] -= delta / h * damping_force_[i]; });
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

bool ExplicitMethod::fits(const Memory& memory, std::size_t vertices) const {
  return memory.empty() || (fields_.memory > 0 && holds(memory, fields_.memory, vertices, 1));
}

/// What an explicit method remembers holds for the h it was made with.
bool ExplicitMethod::remembers(const State& state, double h) const {
  return holds(state.memory, fields_.memory, state.x.size(), 1) && state.memory.numbers[0] == h;
}

StepReport ExplicitMethod::step(const Model& model, State& state, double h) {
  const std::size_t count = model.vertices();
  if (work_.x_next.size() != count) {
    for (NodalField* field : {&work_.force_, &work_.x_next, &work_.v_next}) *field = NodalField(count);
    work_.scratch.assign(fields_.scratch, NodalField(count));
    work_.memory.assign(fields_.memory, NodalField(count));
  }
  if (model.damping().strain > 0 && prepared_for_ != &model.damping()) {
    prepared_for_ = &model.damping();
    work_.strain_.prepare(model);
    work_.moved_ = work_.damping_force_ = NodalField(count);
  }
  work_.h = h;
  work_.model_ = &model;
  work_.state_ = &state;
  work_.finite_ = true;
  work_.remembered = fields_.memory > 0 && remembers(state, h) ? &state.memory.fields : nullptr;
  advance_(work_);
  if (!work_.finite_)
    return {.status = StepReport::Status::failed,
            .message = fmt::format("positions are no longer finite after step {}; choose a smaller h than {} s",
                                   state.step + 1, h)};

  const double lost = work_.strain_loss();
  std::swap(state.x, work_.x_next);
  std::swap(state.v, work_.v_next);
  if (fields_.memory > 0) {
    if (work_.remembered == nullptr) {
      state.memory.fields.assign(fields_.memory, NodalField(count));
      state.memory.numbers.assign(1, h);
    }
    std::swap(state.memory.fields, work_.memory);
  }
  state.time += h;
  ++state.step;
  return {.damping_loss = lost};
}

}  // namespace brio
