/// What colliders ask of bodies.
#pragma once

#include <string>
#include <vector>

#include "brio/contact.h"

namespace brio {

/// The largest extent at rest [m].
double body_size(const Body& body);

std::vector<BodyId> all_bodies(const Model& model);

/// The bodies chosen in their order, all if none are; throws InputError naming `key` for one that does not exist.
std::vector<BodyId> chosen_bodies(const Model& model, const std::vector<BodyId>& bodies, const std::string& key);

}  // namespace brio
