/// A recording of what happens in a pane, for animation programs.
#pragma once

#include <memory>

#include "record/frame_cache.h"
#include "record/held_folder.h"
#include "studio/pane.h"

namespace brio::studio {

class Take {
 public:
  /// Into out/SCENE-take, numbered, below the folder given.
  Take(const SceneText& scene, const Pane& pane, double frames_per_second, const std::filesystem::path& out);

  void add(const State& state);
  long frames() const { return writer_.frames(); }
  /// Makes animation files of the formats that are named; returns the folder.
  std::filesystem::path finish(const std::vector<std::string>& formats, const Pane& pane);

 private:
  std::unique_ptr<HeldFolder> folder_;
  FrameCacheWriter writer_;
};

}  // namespace brio::studio
