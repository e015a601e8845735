#include <algorithm>

#include "model/driven.h"

namespace brio {

void Model::add(std::unique_ptr<Interaction> interaction) {
  interaction->set_slot(interactions_.size());
  interaction->set_serial(next_interaction_.next().number());
  interactions_.push_back(std::move(interaction));
}

void Model::add_support(std::unique_ptr<Driven> support) {
  supports_.push_back(support.get());
  add(std::unique_ptr<Interaction>(std::move(support)));
}

bool Model::is_driven() const {
  return std::ranges::any_of(supports_, [](const Driven* support) { return support->does_work(); });
}

void recall_interactions(const Model& model, State& state) {
  state.histories.resize(model.interactions().size());
  for (const auto& interaction : model.interactions()) interaction->recall(model, state);
}

void begin_interactions(const Model& model, State& state, const Clock& clock, Exchange& exchange) {
  for (const auto& interaction : model.interactions()) interaction->begin_step(model, state, clock, exchange);
}

void end_interactions(const Model& model, const State& before, State& state, const Clock& clock, Exchange& exchange) {
  for (const auto& interaction : model.interactions()) interaction->end_step(model, before, state, clock, exchange);
}

}  // namespace brio
