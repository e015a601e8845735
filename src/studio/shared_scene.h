/// A scene with all that it needs, as one text: for pages that run it where no file can be read.
#pragma once

#include <map>

#include "studio/pane.h"

namespace brio::studio {

struct SharedScene {
  std::string text, name;
  std::vector<std::string> integrators{};                ///< to begin with; none: the scene's
  std::map<std::string, Mesh> files{};                   ///< as the scene names them
  std::map<std::pair<std::string, int>, Mesh> models{};  ///< by name and number of vertices
  std::vector<std::string> formats{};                    ///< of animation files, which scenes may name
};

/// JSON. Numbers are written so that they are read as they were, to the bit.
std::string write_shared(const SharedScene& scene);
/// Throws InputError for what is none.
SharedScene read_shared(const std::string& text);

}  // namespace brio::studio
