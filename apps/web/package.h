/// What a page of `brio share` brings along (src/studio/shared_scene.h): a scene, and in place of all files and fetched
/// models that it names their meshes.
#pragma once

#include "studio/pane.h"

namespace brio::web {

struct Package {
  studio::SceneText scene;
  std::vector<std::string> integrators;  ///< to begin with
};

/// Throws InputError where the text is none. From then on read_mesh, load_model and export_names know what is in it.
Package unpack(const std::string& text);

}  // namespace brio::web
