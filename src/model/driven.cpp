#include "model/driven.h"

#include "brio/energy.h"

namespace brio {

void place_driven(const Model& model, const State& state, double time, Side side, NodalField& x, NodalField& v) {
  if (!model.is_driven()) return;
  for (const Driven* support : model.supports()) support->place(state, time, side, x, v);
}

ReferenceFrame reference_frame(const Model& model, const State& state, const TimeStep& step) {
  SupportFrame frame;
  for (const Driven* support : model.supports()) support->add_to_frames(state, step, {}, {&frame, 1});
  if (frame.points > 0)
    return {.place = frame.place / frame.points, .velocity = frame.displacement / (frame.points * step.h)};
  for (const auto& energy : model.energies())
    if (energy->is_anchored()) return {};
  double mass = 0;
  Vec3 moment = Vec3::Zero();
  for (std::size_t i = 0; i < model.vertices(); ++i) {
    mass += model.mass()[i];
    moment += model.mass()[i] * state.x[i];
  }
  return {.held = false, .place = moment / mass, .velocity = model.linear_momentum(state.v) / mass};
}

}  // namespace brio
