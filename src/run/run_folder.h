/// Folders of runs: where results go, and what may be replaced there.
#pragma once

#include <memory>
#include <string>

#include "record/held_folder.h"

namespace brio {

struct FolderWish {
  std::string scene;     ///< file of the scene
  std::string named{};   ///< by the user; empty: out/SCENE, numbered
  std::string suffix{};  ///< of SCENE
  bool force = false;
  bool resume = false;
};

/// A new folder unless one is named, or wanted again: the last of the numbered ones when resumed, the first when
/// forced.
std::filesystem::path choose_folder(const FolderWish& wish);

/// Refuses one that holds an earlier run, unless forced or resumed.
std::unique_ptr<HeldFolder> hold_run_folder(const std::filesystem::path& folder, const FolderWish& wish);

/// Of `brio compare`: no part of a run, and so left alone by one in the same folder.
const std::vector<std::string>& comparison_files();

/// What every run writes, besides animation files.
Outputs run_outputs();

}  // namespace brio
