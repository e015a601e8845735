/// Scenes from trees of values, and the keys that they know.
#pragma once

#include "brio/scene.h"
#include "core/fields.h"
#include "record/surfaces.h"
#include "scene/reference.h"

namespace brio {

struct Node;

/// From what such a file says; it need not exist.
Scene build_scene(Node root, const std::filesystem::path& file, MissingFiles missing = MissingFiles::refuse);

void document_scene(Reference& reference);

}  // namespace brio
