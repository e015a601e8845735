/// A mesh that somebody drops on the page, as a scene.
#pragma once

#include "core/scratch_folder.h"
#include "studio/pane.h"

namespace brio::studio {

class Dropped {
 public:
  Dropped();

  /// The closed surface of an .obj file filled with tets, a metre in size, that falls on a floor; kept in a folder that
  /// goes with this. Throws InputError for what is no closed surface.
  SceneText scene_of(const std::string& obj);

 private:
  ScratchFolder folder_;
};

}  // namespace brio::studio
