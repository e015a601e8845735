/// Folders of runs: where results go, and what may be overwritten.
#pragma once

#include <filesystem>
#include <string>

namespace brio::app {

struct FolderWish {
  std::string scene;  ///< file of the scene
  std::string named;  ///< by the user; empty: out/SCENE, numbered
  bool force = false;
  bool resume = false;
};

/// Never one that holds an earlier run, unless forced or resumed; the last of the numbered ones when resumed.
std::filesystem::path choose_folder(const FolderWish& wish);

/// For a new run. Files of an earlier run go first, its checkpoint and summary before all others, so that a folder
/// never holds those of another run than its frames.
void clear_folder(const std::filesystem::path& folder);

}  // namespace brio::app
