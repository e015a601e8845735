/// Scenes and the files of the page, as commands name them.
#pragma once

#include <filesystem>
#include <string>

#include "studio/pane.h"

namespace brio::app {

studio::SceneText read_scene(const std::filesystem::path& file);

/// Where studio/build leaves the page, unless another folder is named.
std::filesystem::path page_folder(const std::string& named);
std::string read_page_file(const std::filesystem::path& file);

}  // namespace brio::app
