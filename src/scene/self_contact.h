/// `[contact]` of a scene: bodies with each other and with themselves.
#pragma once

#include "brio/model.h"
#include "scene/reference.h"
#include "scene/value.h"

namespace brio {

/// To be read when all bodies are there.
void read_contact(const Node& node, Model& model);

void document_self_contact(Reference& reference);

}  // namespace brio
