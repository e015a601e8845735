/// The scene of a run that is on the disk, for commands that make something of its frames.
#pragma once

#include "scene/scene.h"

namespace brio::app {

/// Throws InputError when the folder holds no run, or its frames are of another scene than the one beside them.
Scene load_recorded_scene(const std::filesystem::path& folder);

}  // namespace brio::app
