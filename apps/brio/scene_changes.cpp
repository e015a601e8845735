#include "scene_changes.h"

#include "core/printable.h"

namespace brio::app {

void SceneChanges::add_to(CLI::App& command) {
  command.add_option("--h", h, "Integration step [s]");
  command.add_option("--frames", frames, "Number of frames");
  command.add_flag("--quick", quick, "A glance: the first ten frames")->excludes("--frames");
  command.add_option("--set", set, "Set a key of the scene, for example body[0].material.mu=500")
      ->allow_extra_args(false);
}

std::vector<Override> SceneChanges::overrides() const {
  std::vector<Override> list;
  for (const std::string& text : set) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
      throw InputError({.file = "--set", .value = text, .problem = "must be of the form a.b=c"});
    list.push_back({text.substr(0, equals), text.substr(equals + 1), "--set"});
  }
  if (!h.empty()) list.push_back({"time.h", h, "--h"});
  if (!frames.empty()) list.push_back({"time.frames", frames, "--frames"});
  if (quick) list.push_back({"time.frames", "10", "--quick"});
  return list;
}

std::string SceneChanges::arguments() const {
  std::string text;
  if (!h.empty()) text += " --h " + shell_word(h);
  if (!frames.empty()) text += " --frames " + shell_word(frames);
  if (quick) text += " --quick";
  for (const std::string& change : set) text += " --set " + shell_word(change);
  return text;
}

}  // namespace brio::app
