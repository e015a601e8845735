/// Scenes from trees of values, and the keys that they know.
#pragma once

#include "brio/scene.h"
#include "core/fields.h"
#include "record/surfaces.h"
#include "scene/reference.h"

namespace brio {

struct Node;

/// From what such a file says; it need not exist.
Scene build_scene(Node root, const std::filesystem::path& file, MissingFiles missing = MissingFiles::refuse,
                  bool solve_start = true);

/// As load_scene, but where the start is an equilibrium it is only looked whether there could be one: cheap.
Scene check_scene(const std::filesystem::path& file, const std::vector<Override>& overrides = {});

void document_scene(Reference& reference);

}  // namespace brio
