/// Scene files: TOML in, a simulation that is ready to run out.
#pragma once

#include <filesystem>

#include "brio/sim.h"
#include "core/fields.h"
#include "record/surfaces.h"
#include "scene/reference.h"

namespace brio {

/// A key that the command line sets over what the file says.
struct Override {
  std::string path;    ///< "body[0].material.mu"
  std::string value;   ///< as TOML, or plain text
  std::string origin;  ///< what complaints name instead of the file: "--set"
};

struct Scene {
  std::string title;
  Simulation simulation;
  int frames;                         ///< after the initial one
  int steps_per_frame;                ///< of simulation.h()
  std::string resolved;               ///< the scene with overrides and absolute paths, as TOML
  std::vector<std::string> formats;   ///< of animation files: names of export_formats()
  std::vector<std::string> warnings;  ///< of combinations that are allowed but cost something
  Scenery scenery;
  std::uint64_t digest;  ///< of all that its motion depends on: not of how much of it is recorded, in which formats or
                         ///< colours
};

/// Relative paths in the file start from its folder. Throws InputError for anything that is not understood.
Scene load_scene(const std::filesystem::path& file, const std::vector<Override>& overrides = {});

void document_scene(Reference& reference);

/// The title alone, without building anything.
std::string scene_title(const std::filesystem::path& file);

}  // namespace brio
