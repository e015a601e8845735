/// `[contact]` of a scene: bodies with each other and with themselves.
#pragma once

#include "brio/model.h"
#include "scene/reference.h"
#include "scene/value.h"

namespace brio {

/// To be read when all bodies are there.
void read_contact(const Node& node, Model& model);
/// What stands for it in scenes without: a damper for colliders with barriers.
void calm_colliders(Model& model);

void document_self_contact(Reference& reference);

}  // namespace brio
