/// `[[collider]]` of a scene.
#pragma once

#include "brio/contact.h"
#include "scene/reference.h"
#include "scene/value.h"

namespace brio {

/// Adds the collider to the model, whose bodies are all there. `explicit_step` [s] is that of an explicit integrator,
/// 0 for others: stiffness that is not given must suit it.
ColliderOptions read_collider(const Node& node, double explicit_step, Model& model);

/// `bodies = ["a", "b"]`: their indices; empty when the node has no such key.
std::vector<BodyId> read_bodies(const Node& node, const Model& model);

void document_colliders(Reference& reference);

}  // namespace brio
