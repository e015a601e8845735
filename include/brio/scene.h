/// Scenes: TOML in, a simulation that is ready to run out.
///
///   Scene scene = load_scene("scenes/hello.toml");
///   scene.simulation.step(scene.steps_per_frame);  // or brio/run.h, for results on the disk
#pragma once

#include "brio/record.h"
#include "brio/sim.h"

namespace brio {

struct Scene {
  std::string title;
  Simulation simulation;              ///< at the scene's start
  int frames;                         ///< after the initial one
  int steps_per_frame;                ///< of simulation.h()
  SimulationOptions options;          ///< that the simulation was made with
  std::string resolved;               ///< the scene with overrides and absolute paths, as TOML
  std::vector<std::string> formats;   ///< of animation files
  std::vector<std::string> warnings;  ///< of what is allowed but costs something, or is hardly meant
  Scenery scenery;
  std::vector<std::filesystem::path> inputs;  ///< all files that were read for it, itself first
  std::uint64_t digest;  ///< of all that its motion depends on: meshes by what they hold, wherever their files are; not
                         ///< of how much of it is recorded, in which formats or colors

  double frames_per_second() const { return 1 / (simulation.h() * steps_per_frame); }
};

/// A key that is set over what the file says.
struct Override {
  std::string path;    ///< "body[0].material.mu"
  std::string value;   ///< as TOML, or plain text
  std::string origin;  ///< what complaints name instead of the file: "--set"
};

/// What to do with mesh files that are not where the scene says: scenes that a run left behind name places of its time,
/// from where the project may have moved. Its digest tells whether what was found instead is the same.
enum class MissingFiles { refuse, search };

/// Relative paths in the file start from its folder. Throws InputError for anything that is not understood.
Scene load_scene(const std::filesystem::path& file, const std::vector<Override>& overrides = {},
                 MissingFiles missing = MissingFiles::refuse);

/// From what such a file would say. Complaints call it `name`, as does its title where it has none; relative paths
/// start from `folder`.
Scene parse_scene(const std::string& text, const std::string& name = "scene.toml",
                  const std::filesystem::path& folder = {}, const std::vector<Override>& overrides = {});

/// The title alone, without building anything.
std::string scene_title(const std::filesystem::path& file);

}  // namespace brio
