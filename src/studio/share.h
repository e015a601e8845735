/// One file with a scene, the studio's page, and the engine in it: it opens from a disk, and needs nothing else.
#pragma once

#include "studio/shared_scene.h"

namespace brio::studio {

/// What a page is made of, as studio/build leaves it.
struct PageParts {
  std::string html, style, script;
  std::string worker;  ///< script
  std::string engine;  ///< WebAssembly
};

/// Reads all meshes that the scene names. Throws InputError where it cannot run.
SharedScene gather(const SceneText& scene, const std::vector<std::string>& integrators);

std::string share_page(const PageParts& parts, const SharedScene& scene);

}  // namespace brio::studio
