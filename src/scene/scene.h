/// Scenes from trees of values, and the keys that they know.
#pragma once

#include "brio/scene.h"
#include "core/fields.h"
#include "record/surfaces.h"
#include "scene/reference.h"

namespace brio {

struct Node;

/// From what such a file says; it need not exist.
/// `told`: where it begins at an equilibrium, this is looked for only for a few seconds, and how that went is told
/// there.
Scene build_scene(Node root, const std::filesystem::path& file, MissingFiles missing = MissingFiles::refuse,
                  std::string* told = nullptr);

/// As load_scene, in bounded time: `start` tells whether an equilibrium to start from was found, else it is empty.
Scene check_scene(const std::filesystem::path& file, const std::vector<Override>& overrides, std::string& start);

void document_scene(Reference& reference);

}  // namespace brio
