/// `constrain = [{ kind = "distance", … }]` of a body.
#pragma once

#include "brio/model.h"
#include "scene/reference.h"
#include "scene/value.h"

namespace brio {

/// Lengths and points that are not given are those of the body as it is placed.
Constraint read_constraint(const Node& node, const Body& body);

void document_constraint(Reference& reference);

}  // namespace brio
