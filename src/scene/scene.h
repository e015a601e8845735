/// Scene files: TOML in, a simulation that is ready to run out.
#pragma once

#include <filesystem>

#include "brio/sim.h"
#include "core/fields.h"
#include "record/surfaces.h"
#include "scene/reference.h"

namespace brio {

struct Node;

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
  SimulationOptions options;          ///< that the simulation was made with
  std::string resolved;               ///< the scene with overrides and absolute paths, as TOML
  std::vector<std::string> formats;   ///< of animation files: names of export_formats()
  std::vector<std::string> warnings;  ///< of what is allowed but costs something, or is hardly meant
  Scenery scenery;
  std::vector<std::filesystem::path> inputs;  ///< all files that were read for it, itself first
  std::uint64_t digest;  ///< of all that its motion depends on: meshes by what they hold, wherever their files are; not
                         ///< of how much of it is recorded, in which formats or colors
};

/// What to do with mesh files that are not where the scene says: scenes that a run left behind name places of its time,
/// from where the project may have moved. Its digest tells whether what was found instead is the same.
enum class MissingFiles { refuse, search };

/// Relative paths in the file start from its folder. Throws InputError for anything that is not understood.
Scene load_scene(const std::filesystem::path& file, const std::vector<Override>& overrides = {},
                 MissingFiles missing = MissingFiles::refuse);

/// From what such a file says; it need not exist.
Scene build_scene(Node root, const std::filesystem::path& file, MissingFiles missing = MissingFiles::refuse);

void document_scene(Reference& reference);

/// The title alone, without building anything.
std::string scene_title(const std::filesystem::path& file);

}  // namespace brio
