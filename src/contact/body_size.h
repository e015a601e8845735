/// What colliders ask of bodies.
#pragma once

#include <string>
#include <vector>

#include "brio/contact.h"

namespace brio {

/// The largest extent at rest [m].
double body_size(const Body& body);

/// Indices of the bodies chosen, all if none are; throws InputError naming `key` for one that does not exist.
std::vector<int> chosen_bodies(const Model& model, const std::vector<int>& bodies, const std::string& key);

}  // namespace brio
