/// A recording of what happens in a pane, in a folder, for animation programs.
#pragma once

#include <memory>

#include "record/frame_cache.h"
#include "record/held_folder.h"
#include "studio/files.h"

namespace brio::studio {

class TakeOnDisk final : public Take {
 public:
  /// Into out/SCENE-take, numbered, below the folder given.
  TakeOnDisk(const SceneText& scene, const Pane& pane, double frames_per_second, const std::filesystem::path& out);

  void add(const State& state) override;
  long frames() const override { return writer_.frames(); }
  std::filesystem::path finish(const std::vector<std::string>& formats, const Pane& pane) override;

 private:
  std::unique_ptr<HeldFolder> folder_;
  FrameCacheWriter writer_;
};

}  // namespace brio::studio
