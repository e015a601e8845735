/// What the interactions of a model do, all of them.
#pragma once

#include "brio/interaction.h"

namespace brio {

/// Calls what the interactions of the model do before and after a step, and before the first.
void recall_interactions(const Model& model, State& state);
void begin_interactions(const Model& model, State& state, const Clock& clock, Exchange& exchange);
void end_interactions(const Model& model, const State& before, State& state, const Clock& clock, Exchange& exchange);

}  // namespace brio
