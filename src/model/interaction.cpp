#include "model/interaction.h"

namespace brio {

void Model::add(std::unique_ptr<Interaction> interaction) {
  interaction->set_slot(interactions_.size());
  interactions_.push_back(std::move(interaction));
}

void recall_interactions(Model& model, State& state) {
  state.histories.resize(model.interactions().size());
  for (const auto& interaction : model.interactions()) interaction->recall(model, state);
}

void begin_interactions(Model& model, State& state, const Clock& clock, Exchange& exchange) {
  for (const auto& interaction : model.interactions()) interaction->begin_step(model, state, clock, exchange);
}

void end_interactions(Model& model, const State& before, State& state, const Clock& clock, Exchange& exchange) {
  for (const auto& interaction : model.interactions()) interaction->end_step(model, before, state, clock, exchange);
}

}  // namespace brio
