#include "recorded_scene.h"

#include <fmt/format.h>

#include "record/recorder.h"

namespace brio::app {

Scene load_recorded_scene(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / RunFiles::scene;
  if (!std::filesystem::exists(folder / RunFiles::frames) || !std::filesystem::exists(file))
    throw InputError({.file = folder.string(),
                      .problem = fmt::format("holds no run: {} and {} are needed", RunFiles::scene, RunFiles::frames)});
  Scene scene = load_scene(file, {}, MissingFiles::search);
  const FrameCache frames(folder / RunFiles::frames);
  if (frames.info().digest != scene.digest)
    throw InputError(
        {.file = frames.path().string(), .problem = "is not of the scene beside it", .advice = "run the scene again"});
  return scene;
}

}  // namespace brio::app
