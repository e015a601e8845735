/// What the command line changes of a scene.
#pragma once

#include <CLI/CLI.hpp>

#include "scene/scene.h"

namespace brio::app {

struct SceneChanges {
  std::string h;
  std::string frames;
  bool quick = false;
  std::vector<std::string> set;

  void add_to(CLI::App& command);
  std::vector<Override> overrides() const;
  std::string arguments() const;  ///< as they were given, to be given again
};

}  // namespace brio::app
